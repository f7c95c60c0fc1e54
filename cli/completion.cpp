// polyflake completion: the scripts with which shells complete a command line.
#include "program.hpp"
#include "shell_words.hpp"
#include "template.hpp"
#include "texts.hpp"
#include "tree.hpp"
#include "usage.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kCompletionExamples =
    "  source <(polyflake completion bash)\n"
    "  polyflake completion zsh > ~/.zfunc/_polyflake\n"
    "  polyflake completion fish > ~/.config/fish/completions/polyflake.fish\n";

struct CompletionOptions {
  const CLI::App* program;
  std::string shell;
};

std::vector<std::string> names_of(const std::vector<CommandView>& tree) {
  std::vector<std::string> names;
  for (const CommandView& command : tree) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return names;
}

// Returns the words that may follow a command: those of its arguments, its options, and the
// commands if it is the program itself.
std::vector<std::string> words_after(const CommandView& command, const std::vector<CommandView>& tree) {
  std::vector<std::string> words;
  for (const ArgumentView& argument : command.arguments) {
    words.insert(words.end(), argument.words.begin(), argument.words.end());
  }
  for (const OptionView& option : options_of(command, tree[0])) {
    words.insert(words.end(), option.names.begin(), option.names.end());
  }
  if (!command.name.empty()) return words;
  const std::vector<std::string> commands = names_of(tree);
  words.insert(words.end(), commands.begin(), commands.end());
  return words;
}

std::string bash(const std::vector<CommandView>& tree) {
  Template script(kBashText, "#| ");
  add_bash_values(script, tree);
  for (const CommandView& command : tree) {
    script.add("command", {{"command", quoted_for_shell(command.name)},
                           {"words", quoted_for_shell(joined(words_after(command, tree)))}});
  }
  return script.filled({{"commands", joined(names_of(tree), "|")}});
}

// Escapes text inside brackets or between colons for zsh.
std::string escaped_for_zsh(const std::string& text) {
  std::string result;
  for (const char c : text) result += std::string(c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "") + c;
  return result;
}

std::string action_of_zsh(const std::string& name, const std::vector<std::string>& words) {
  if (name == "FILE") return ":" + name + ":_files";
  return ":" + name + ":" + (words.empty() ? " " : "(" + joined(words) + ")");
}

std::string zsh_option(const std::string& name, const OptionView& option) {
  const std::string exclusive = option.names.size() > 1 ? "(" + joined(option.names) + ")" : "";
  const std::string joint = option.value.empty() || name[1] != '-' ? "" : "=";
  const std::string action = option.value.empty() ? "" : action_of_zsh(option.value, option.words);
  return exclusive + name + joint + "[" + escaped_for_zsh(option.description) + "]" + action;
}

// Returns the words of `_arguments`, each on a line of its own.
std::string zsh_arguments(const CommandView& command, const CommandView& program) {
  std::vector<std::string> words;
  for (const OptionView& option : options_of(command, program)) {
    for (const std::string& name : option.names) words.push_back(zsh_option(name, option));
  }
  for (const ArgumentView& argument : command.arguments) {
    words.push_back((argument.many ? "*" : "") + action_of_zsh(argument.name, argument.words));
  }
  std::string lines;
  for (const std::string& word : words) lines += " \\\n        " + quoted_for_shell(word);
  return lines;
}

std::string zsh(const std::vector<CommandView>& tree) {
  Template script(kZshText, "#| ");
  for (const CommandView& command : tree) {
    if (command.name.empty()) continue;
    script.add("description",
               {{"description", quoted_for_shell(command.name + ":" + escaped_for_zsh(command.description))}});
    script.add("command", {{"command", command.name}, {"arguments", zsh_arguments(command, tree[0])}});
  }
  return script.filled({{"arguments", zsh_arguments(tree[0], tree[0])}});
}

void add_fish_option(Template& script, const CommandView& command, const OptionView& option) {
  std::string names, value;
  for (const std::string& name : option.names) {
    names += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.value == "FILE") {
    value = " -r -F";
  } else if (!option.value.empty()) {
    value = " -x" + (option.words.empty() ? "" : " -a " + quoted_for_shell(joined(option.words)));
  }
  script.add(command.name.empty() ? "program" : "option", {{"command", command.name},
                                                           {"names", names},
                                                           {"value", value},
                                                           {"description", quoted_for_shell(option.description)}});
}

std::string fish(const std::vector<CommandView>& tree) {
  Template script(kFishText, "#| ");
  for (const CommandView& command : tree) {
    if (!command.name.empty()) {
      script.add("command", {{"commands", joined(names_of(tree))},
                             {"command", command.name},
                             {"description", quoted_for_shell(command.description)}});
    }
    for (const OptionView& option : command.options) {
      if (command.name.empty() || option.names.back() != "--help") add_fish_option(script, command, option);
    }
    for (const ArgumentView& argument : command.arguments) {
      if (argument.words.empty()) continue;
      script.add("argument", {{"command", command.name}, {"words", quoted_for_shell(joined(argument.words))}});
    }
  }
  return script.filled({});
}

Outcome run_completion(Program& program, const CompletionOptions& options) {
  const std::vector<CommandView> tree = tree_of(*options.program);
  program.out.write(options.shell == "bash" ? bash(tree) : options.shell == "zsh" ? zsh(tree) : fish(tree));
  return kWell;
}

}  // namespace

void add_completion(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "completion", "Print what a shell needs to complete command lines", kCompletionExamples,
                  run_completion);
  options.program = &app;
  command.add_option("SHELL", options.shell, "bash, zsh or fish")
      ->type_name("")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
}

}  // namespace polyflake::cli
