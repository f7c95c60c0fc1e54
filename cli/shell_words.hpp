// Words of the command line as shells complete them.
#pragma once

#include <string>
#include <vector>

#include "tree.hpp"

namespace polyflake::cli {

// Returns the text in single quotes of a shell.
std::string quoted_for_shell(const std::string& text);

// Returns the options of the command and of the program, which may follow every command.
std::vector<OptionView> options_of(const CommandView& command, const CommandView& program);

// Returns the cases of bash for "command:option": the values that may follow the option.
std::string bash_values(const std::vector<CommandView>& tree);

}  // namespace polyflake::cli
