#include "usage.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <string_view>

#include "tree.hpp"

namespace polyflake::cli {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CommandView& command : tree_of(app)) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return listed(names);
}

// Returns the name of the command that is chosen, or of the program.
std::string chosen_in(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : chosen.front()->get_name();
}

// Returns what the option or argument of this name takes: "one of hex, base36", or the name of its
// value.
std::string allowed_by(const CLI::App& app, const std::string& name) {
  const std::string command = chosen_in(app);
  for (const CommandView& view : tree_of(app)) {
    if (!view.name.empty() && view.name != command) continue;
    for (const OptionView& option : view.options) {
      if (std::find(option.names.begin(), option.names.end(), name) == option.names.end()) continue;
      return option.words.empty() || option.value == "LAYOUT" ? option.value : "one of " + listed(option.words);
    }
  }
  return "";
}

// Returns the part of a text before the first of these words, which CLI11 writes after a name.
std::string before(std::string_view text, std::string_view words) {
  return std::string(text.substr(0, text.find(words)));
}

std::string leftover(const std::string& word, const CLI::App& app) {
  if (app.get_subcommands().empty())
    return "there is no command " + polyflake::quoted(word) + "; the commands are " + commands_of(app);
  const std::string command = chosen_in(app);
  if (word.size() > 1 && word[0] == '-') return "there is no option " + polyflake::quoted(word) + " of " + command;
  return polyflake::quoted(word) + " is one argument too many for " + command;
}

std::string mismatch(const std::string& said, const CLI::App& app) {
  constexpr std::string_view kOverride = " was given a disallowed flag override";
  if (said.find(kOverride) != std::string::npos) return "--" + before(said, kOverride) + " takes no value";
  const std::string name = before(said, ": ");
  if (said.find("At Most") != std::string::npos) return name + " is given more than once";
  const std::string allowed = allowed_by(app, name);
  return name + " needs a value" + (allowed.empty() ? "" : ": " + allowed);
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto refusal = [words](std::string& given) {
    if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
    return "is one of " + listed(words) + ", not " + polyflake::quoted(given);
  };
  std::string description;
  for (const std::string& word : words) description += (description.empty() ? "{" : ",") + word;
  return CLI::Validator(refusal, description + "}");
}

std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  const std::string said = error.what(), kind = error.get_name();
  const std::vector<std::string> left = app.remaining(true);
  constexpr int kExtras = static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (!left.empty() && (app.get_subcommands().empty() || error.get_exit_code() == kExtras))
    return leftover(left[0], app);
  if (kind == "RequiredError" && app.get_subcommands().empty())
    return "a command is missing; the commands are " + commands_of(app);
  if (kind == "RequiredError") {
    const std::string name = before(said, " is required"), allowed = allowed_by(app, name);
    return name + " is missing" + (allowed.empty() ? "" : "; it takes " + allowed);
  }
  if (kind == "ExcludesError") {
    constexpr std::string_view kBetween = " excludes ";
    const std::string first = before(said, kBetween);
    return first + " and " + said.substr(std::min(first.size() + kBetween.size(), said.size())) +
           " cannot be given together";
  }
  if (kind == "ArgumentMismatch") return mismatch(said, app);
  if (kind == "ValidationError") {
    const std::string name = before(said, ": ");
    return name + said.substr(std::min(name.size() + 1, said.size()));
  }
  return "the arguments cannot be read";
}

}  // namespace polyflake::cli
