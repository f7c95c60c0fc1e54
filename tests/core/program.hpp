// A program started by a test: its output line by line, its input, its end.
#pragma once

#include <string>
#include <vector>

#if defined(_WIN32)
#include "windows_program.hpp"
#else
#include "posix_program.hpp"
#endif

#include "paths.hpp"

namespace polyflake::test {

// tests/core/issuer.cpp
inline Program start_issuer(const std::string& layout, const std::string& worker, std::size_t count = 0,
                            const std::string& file = "", const std::vector<std::string>& variables = {}) {
  std::vector<std::string> command = {kIssuer, layout, worker, std::to_string(count)};
  if (!file.empty()) command.push_back(file);
  return Program(command, variables);
}

}  // namespace polyflake::test
