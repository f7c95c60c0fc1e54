// Functions for the process as a whole: for bindings, and programs that end in unusual ways.
#pragma once

#include <string>

namespace polyflake {

// Returns a warning to show to people, or "". Each warning is returned once per process. Call it
// after opening a generator.
std::string take_warning();

// Gives the `host` node ids of this process back, as happens at exit: for processes that end
// without exit handlers. Afterwards no `host` generator issues, except one whose files another
// thread is writing.
void release_all() noexcept;

}  // namespace polyflake
