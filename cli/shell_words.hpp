// Words of the command line as shells complete them.
#pragma once

#include <string>
#include <vector>

#include "template.hpp"
#include "tree.hpp"

namespace polyflake::cli {

// Returns the text in single quotes of a shell.
std::string quoted_for_shell(const std::string& text);

// Returns the options of the command and of the program, which may follow every command.
std::vector<OptionView> options_of(const CommandView& command, const CommandView& program);

// Adds to the script of bash the values that may follow the options of each command.
void add_bash_values(Template& script, const std::vector<CommandView>& tree);

}  // namespace polyflake::cli
