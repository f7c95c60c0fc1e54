#include "shell_words.hpp"

#include <algorithm>
#include <map>

namespace polyflake::cli {

std::string quoted_for_shell(const std::string& text) {
  std::string result = "'";
  for (const char c : text) c == '\'' ? result += "'\\''" : result += c;
  return result + "'";
}

std::vector<OptionView> options_of(const CommandView& command, const CommandView& program) {
  std::vector<OptionView> options = command.options;
  if (command.name.empty()) return options;
  for (const OptionView& option : program.options) {
    const bool own = option.names.back() == "--help" || option.names.back() == "--version";
    if (!own) options.push_back(option);
  }
  return options;
}

namespace {

// The values that may follow an option, and the patterns of bash, "command:option", for the
// commands in which they may.
struct BashValues {
  std::string value;
  std::vector<std::string> words;
  std::vector<std::string> patterns;
};

// Returns the values for each option by its name: one entry if it means the same everywhere.
std::map<std::string, std::vector<BashValues>> bash_values_by_name(const std::vector<CommandView>& tree) {
  std::map<std::string, std::vector<BashValues>> taking;
  for (const CommandView& command : tree) {
    for (const OptionView& option : options_of(command, tree[0])) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        std::vector<BashValues>& known = taking[name];
        const auto same = std::find_if(known.begin(), known.end(), [&](const BashValues& one) {
          return one.value == option.value && one.words == option.words;
        });
        const std::string pattern = command.name + ":" + name;
        if (same != known.end()) {
          same->patterns.push_back(pattern);
        } else {
          known.push_back({option.value, option.words, {pattern}});
        }
      }
    }
  }
  for (auto& [name, known] : taking) {
    if (known.size() == 1) known[0].patterns = {"*:" + name};
  }
  return taking;
}

}  // namespace

void add_bash_values(Template& script, const std::vector<CommandView>& tree) {
  std::vector<std::string> without_words;
  for (const auto& [name, known] : bash_values_by_name(tree)) {
    for (const BashValues& one : known) {
      const std::string patterns = joined(one.patterns, "|");
      if (one.value == "FILE") {
        script.add("files", {{"patterns", patterns}});
      } else if (one.words.empty()) {
        without_words.push_back(patterns);
      } else {
        script.add("words", {{"patterns", patterns}, {"words", quoted_for_shell(joined(one.words))}});
      }
    }
  }
  script.add("nothing", {{"patterns", joined(without_words, "|")}});
}

}  // namespace polyflake::cli
