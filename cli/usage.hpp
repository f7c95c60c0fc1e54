// Wrong usage in sentences of this program: what was given, and what is allowed.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace polyflake::cli {

// Returns a check that takes these words alone; help and completions show them.
CLI::Validator one_of(const std::vector<std::string>& words);

// Returns the sentence for an error of CLI11. app: the program, after it failed to parse.
std::string sentence_of(const CLI::ParseError& error, const CLI::App& app);

}  // namespace polyflake::cli
