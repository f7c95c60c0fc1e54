// The owner of a file: labels of processes, and the machine. owner.cpp calls the last three
// functions, which each system implements.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::platform {

// Returns an id of this machine that survives a restart, and differs after a disk was copied and
// properly prepared for another machine. "-" if there is none. Asks the system once.
const std::string& machine_id();

// Returns "host/pid" of a process of this host.
std::string label_of(std::uint64_t process_number);

std::string read_machine_id();
std::uint64_t process_number();
bool is_running(std::uint64_t process_number);

}  // namespace polyflake::platform
