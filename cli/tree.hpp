// The commands as CLI11 knows them: what the manual and the completions are made of.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace polyflake::cli {

struct OptionView {
  std::vector<std::string> names;  // "-n", "--count"
  std::string value;               // what follows it, "N"; "" where nothing does
  std::string description;
  std::string otherwise;           // what holds where it is not given, or ""
  std::vector<std::string> words;  // all that may follow it, where that is known
};

struct ArgumentView {
  std::string name;
  std::string description;
  bool required;
  bool many;
  std::vector<std::string> words;
};

struct CommandView {
  std::string name;  // "" for the program itself
  std::string description;
  std::string footer;
  std::vector<OptionView> options;
  std::vector<ArgumentView> arguments;
};

// The program itself, then its commands in their order.
std::vector<CommandView> tree_of(const CLI::App& program);

// Joined by blanks.
std::string joined(const std::vector<std::string>& words);

}  // namespace polyflake::cli
