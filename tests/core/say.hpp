// How a program that a test started talks to it.
#pragma once

#include <string>

#include "system.hpp"

namespace polyflake::test {

// One line of output, at once and in one piece.
inline void say(const std::string& line) { write_out(line + "\n"); }

}  // namespace polyflake::test
