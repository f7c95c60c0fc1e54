// Foreign text in the output of commands.
#pragma once

#include <string>
#include <string_view>

namespace polyflake::cli {

// Returns foreign text on one line of plain ASCII: control and non-ASCII characters as \xNN.
std::string one_line(std::string_view text);

}  // namespace polyflake::cli
