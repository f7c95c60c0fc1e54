// What concerns the process: its library, its warning, its end, its copies.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::facade {

std::string version();

// What the language's channel for warnings is to say after a generator was opened, "" when nothing. The same text is
// given to one caller in the process only.
std::string take_warning();

// For the end of a process that runs no exit handlers of C (multiprocessing's children): gives the `host` node ids back.
// No `host` generator of the process issues afterwards. Never throws.
void release_all() noexcept;

// Another number in a copy of this process: what was claimed before it was made belongs to the original.
std::uint64_t execution();

// Sleeps for about this long, or less when a signal is delivered; returns how long.
std::int64_t sleep_ns(std::int64_t ns);

}  // namespace polyflake::facade
