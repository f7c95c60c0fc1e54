// The log: a line of key=value for each change of state, on standard error. Ids are never logged.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace polyflake::server {

// Writes "event=<event> <key>=<value> ...". Values with blanks are quoted. Leaves lines out
// while the reader of the log is slow or memory is short; the next line says how many. Blocks only
// if another process fills the same pipe in the same moment. Thread safety: any thread.
void log(std::string_view event, std::initializer_list<std::pair<std::string_view, std::string>> pairs = {}) noexcept;

}  // namespace polyflake::server
