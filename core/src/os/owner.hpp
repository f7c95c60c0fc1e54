// Labels of processes: what owner.cpp asks of the system.
#pragma once

#include <cstdint>

namespace polyflake::platform {

std::uint64_t process_number();
bool is_running(std::uint64_t process_number);

}  // namespace polyflake::platform
