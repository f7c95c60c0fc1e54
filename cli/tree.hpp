// The commands as CLI11 knows them: the source of the manual and the completions.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace polyflake::cli {

struct OptionView {
  std::vector<std::string> names;  // "-n", "--count"
  std::string value;               // the name of its value, "N"; "" if it has none
  std::string description;
  std::string otherwise;           // its default, or ""
  std::vector<std::string> words;  // all possible values, if they are known
};

struct ArgumentView {
  std::string name;
  std::string description;
  bool required;
  bool many;
  std::vector<std::string> words;
};

struct CommandView {
  std::string name;  // "" for the program
  std::string description;
  std::string footer;
  std::vector<OptionView> options;
  std::vector<ArgumentView> arguments;
};

// Returns the program, then its commands in their order.
std::vector<CommandView> tree_of(const CLI::App& program);

// Returns the words with a text between each two.
std::string joined(const std::vector<std::string>& words, const char* between = " ");

}  // namespace polyflake::cli
