// What concerns the process as a whole: for bindings, and programs that end in unusual ways.
#pragma once

#include <string>

namespace polyflake {

// Returns a text for the language's channel for warnings after a generator was opened, "" if there is none. Each text is given
// once a process.
std::string take_warning();

// Gives the `host` node ids of this process back, as happens at exit: for processes that end without exit handlers. No
// `host` generator issues afterwards, but for one whose files another thread is writing.
void release_all() noexcept;

}  // namespace polyflake
