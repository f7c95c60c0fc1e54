// How a program that a test started talks to it.
#pragma once

#include <cstdlib>
#include <string>

#include <unistd.h>

namespace polyflake::test {

// One line of output, at once and in one piece.
inline void say(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) std::abort();
}

}  // namespace polyflake::test
