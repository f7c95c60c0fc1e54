// Ids that a command is given: on its command line, or one a line from standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace polyflake::cli {

struct IdOptions {
  std::vector<std::string> texts;
  bool keep_going = false;
};
// what: the name of the argument in the help, "ID".
void add_ids(CLI::App& command, IdOptions& options, const std::string& what);

// Calls `take` with each text. Where it throws an Error: says which text it was, and goes on or not; returns the exit code.
// Shows progress on a terminal where the output goes elsewhere. What was written is shown before more is waited for.
int each_text(Program& program, const IdOptions& options, const std::function<void(std::string_view)>& take);

}  // namespace polyflake::cli
