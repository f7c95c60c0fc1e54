// What concerns the process as a whole: for bindings, and programs that end in unusual ways.
#pragma once

#include <string>

namespace polyflake {

// What the language's channel for warnings should say after a generator was opened, "" if nothing. Each of them is given
// once a process.
std::string take_warning();

// Gives the `host` node ids of this process back, as happens at exit: for processes that end without exit handlers. No
// `host` generator issues afterwards, but for one whose files another thread is writing.
void release_all() noexcept;

}  // namespace polyflake
