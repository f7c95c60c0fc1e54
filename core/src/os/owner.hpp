// Whose a file is: labels of processes, and the machine. The last three are what owner.cpp asks of the system.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::platform {

// The same after a restart, another one after a copy of a disk was prepared for it as it should be; "-" where there is none.
// Asked of the system once.
const std::string& machine_id();

// "host/pid" of a process of this host.
std::string label_of(std::uint64_t process_number);

std::string read_machine_id();
std::uint64_t process_number();
bool is_running(std::uint64_t process_number);

}  // namespace polyflake::platform
