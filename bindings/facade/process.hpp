// The process: its library, its warning, its end, its copies.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::facade {

std::string version();

// Returns a text for the language's channel for warnings after a generator was opened, "" if there
// is none. Gives each text to one caller in the process only.
std::string take_warning();

// Gives the `host` node ids back, for a process that runs no exit handlers of C (multiprocessing's
// children). No `host` generator of the process issues afterwards. Never throws.
void release_all() noexcept;

// Returns another number in a copy of this process: ids claimed before the copy was made belong to
// the original.
std::uint64_t execution();

// Sleeps for about this time, or less if a signal is delivered. Returns the time slept.
std::int64_t sleep_ns(std::int64_t ns);

}  // namespace polyflake::facade
