// Functions for the process as a whole: for bindings, and programs that end in unusual ways.
#pragma once

#include <string>

namespace polyflake {

// Call it after opening a generator. Returns a warning for the language's own channel, or "". Each
// warning is returned once per process.
std::string take_warning();

// Gives the `host` node ids of this process back, as happens at exit: for processes that end
// without exit handlers. Afterwards no `host` generator issues, except one whose files another
// thread is writing.
void release_all() noexcept;

}  // namespace polyflake
