// polyflake completion: the scripts with which shells complete a command line.
#include "program.hpp"
#include "shell_words.hpp"
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
  for (const CommandView& one : tree) {
    if (!one.name.empty()) words.push_back(one.name);
  }
  return words;
}

std::string bash(const std::vector<CommandView>& tree) {
  std::string names, cases;
  for (const CommandView& command : tree) {
    if (!command.name.empty()) names += (names.empty() ? "" : "|") + command.name;
    cases += "    " + quoted_for_shell(command.name) +
             ") words=" + quoted_for_shell(joined(words_after(command, tree))) + " ;;\n";
  }
  return "# Completion of polyflake for bash: source it.\n"
         "_polyflake() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' i IFS=$' \\n'\n"
         "  if [[ $word = = ]]; then\n"  // --layout=tw is three words to it
         "    word=''\n"
         "  elif [[ $before = = ]]; then\n"
         "    before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case ${COMP_WORDS[i]} in\n"
         "      " +
         names +
         ") command=${COMP_WORDS[i]}; break ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command:$before in\n" +
         bash_values(tree) +
         "  esac\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -F _polyflake polyflake\n";
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

std::string zsh_arguments(const CommandView& command, const CommandView& program) {
  std::string lines;
  for (const OptionView& option : options_of(command, program)) {
    const std::string action = option.value.empty() ? "" : action_of_zsh(option.value, option.words);
    for (const std::string& name : option.names) {
      const std::string exclusive = option.names.size() > 1 ? "(" + joined(option.names) + ")" : "";
      const char* const joint = option.value.empty() || name[1] != '-' ? "" : "=";
      std::string spec = exclusive;
      spec.append(name)
          .append(joint)
          .append("[")
          .append(escaped_for_zsh(option.description))
          .append("]")
          .append(action);
      lines.append(" \\\n        ").append(quoted_for_shell(spec));
    }
  }
  for (const ArgumentView& argument : command.arguments) {
    lines +=
        " \\\n        " + quoted_for_shell((argument.many ? "*" : "") + action_of_zsh(argument.name, argument.words));
  }
  return lines;
}

std::string zsh(const std::vector<CommandView>& tree) {
  std::string commands, cases;
  for (const CommandView& command : tree) {
    if (command.name.empty()) continue;
    commands += "    " + quoted_for_shell(command.name + ":" + escaped_for_zsh(command.description)) + "\n";
    cases += "      " + command.name + ")\n      _arguments" + zsh_arguments(command, tree[0]) + "\n      ;;\n";
  }
  return "#compdef polyflake\n"
         "# Completion of polyflake for zsh: in a folder of $fpath as _polyflake, or sourced.\n"
         "_polyflake() {\n"
         "  local context state state_descr line\n"
         "  typeset -A opt_args\n"
         "  local -a commands=(\n" +
         commands +
         "  )\n"
         "  _arguments -C" +
         zsh_arguments(tree[0], tree[0]) +
         " \\\n        '1:command:->command' \\\n        '*::argument:->argument'\n"
         "  case $state in\n"
         "  command) _describe command commands ;;\n"
         "  argument)\n"
         "    case $words[1] in\n" +
         cases +
         "    esac\n"
         "    ;;\n"
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _polyflake ]; then _polyflake \"$@\"; else compdef _polyflake polyflake; fi\n";
}

std::string fish_option(const std::string& condition, const OptionView& option) {
  std::string line = "complete -c polyflake" + condition;
  for (const std::string& name : option.names) {
    line += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.value == "FILE") {
    line += " -r -F";
  } else if (!option.value.empty()) {
    line += " -x" + (option.words.empty() ? "" : " -a " + quoted_for_shell(joined(option.words)));
  }
  return line + " -d " + quoted_for_shell(option.description) + "\n";
}

std::string fish(const std::vector<CommandView>& tree) {
  // __fish_use_subcommand takes the value of an option for a command.
  std::vector<std::string> names;
  for (const CommandView& command : tree) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  const std::string none_yet = " -n 'not __fish_seen_subcommand_from " + joined(names) + "'";
  std::string text = "# Completion of polyflake for fish.\ncomplete -c polyflake -f\n";
  for (const CommandView& command : tree) {
    if (command.name.empty()) {
      for (const OptionView& option : command.options) text += fish_option("", option);
      continue;
    }
    text += "complete -c polyflake" + none_yet + " -a " + command.name + " -d " +
            quoted_for_shell(command.description) + "\n";
    const std::string condition = " -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionView& option : command.options) {
      if (option.names.back() != "--help") text += fish_option(condition, option);
    }
    for (const ArgumentView& argument : command.arguments) {
      if (argument.words.empty()) continue;
      text += "complete -c polyflake" + condition + " -a " + quoted_for_shell(joined(argument.words)) + "\n";
    }
  }
  return text;
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
