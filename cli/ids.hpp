// The ids for a command: from its command line, or one a line from standard input.
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

// Calls `take` with each text. If it throws an Error, reports the text and goes on or stops.
// Returns the exit code. Shows progress on a terminal if the output goes elsewhere. Flushes the
// output before it waits for more input.
int each_text(Program& program, const IdOptions& options, const std::function<void(std::string_view)>& take);

}  // namespace polyflake::cli
