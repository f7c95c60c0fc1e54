// polyflake man: the manual page.
#include <polyflake/version.hpp>

#include "program.hpp"
#include "tree.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kManExamples =
    "  polyflake man | man -l -\n"
    "  polyflake man > /usr/local/share/man/man1/polyflake.1\n";

struct ManOptions {
  const CLI::App* program;
};

// Escapes for roff: no line is taken as a request, and hyphens are those that one types.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool begins = result.empty() || result.back() == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-') {
      result += "\\-";
    } else if (c == '\\') {
      result += "\\e";
    } else {
      result += c;
    }
  }
  return result;
}

std::string synopsis(const CommandView& command) {
  std::string text = "\\fBpolyflake " + roff(command.name) + "\\fR";
  if (!command.options.empty()) text += " [\\fIOPTION\\fR ...]";
  for (const ArgumentView& argument : command.arguments) {
    const std::string name = "\\fI" + roff(argument.name) + "\\fR" + (argument.many ? " ..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string options_of(const CommandView& command) {
  std::string text;
  for (const ArgumentView& argument : command.arguments) {
    text += ".TP\n\\fI" + roff(argument.name) + "\\fR\n" + roff(argument.description) + ".\n";
  }
  for (const OptionView& option : command.options) {
    if (option.names.back() == "--help" && !command.name.empty()) continue;
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
    text += ".TP\n" + names + (option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR") + "\n";
    text += roff(option.description) + (option.otherwise.empty() ? "" : " (otherwise " + roff(option.otherwise) + ")") +
            ".\n";
    if (!option.words.empty() && option.value != "WHEN") text += "One of " + roff(joined(option.words)) + ".\n";
  }
  return text;
}

// Returns the examples of a footer, unchanged.
std::string examples_of(const CommandView& command) {
  constexpr std::string_view kBegin = "Examples:\n";
  const std::size_t at = command.footer.find(kBegin);
  if (at == std::string::npos) return "";
  return ".PP\nExamples:\n.PP\n.nf\n" + roff(command.footer.substr(at + kBegin.size())) + ".fi\n";
}

Outcome run_man(Program& program, const ManOptions& options) {
  std::string page = ".TH POLYFLAKE 1 \"\" \"polyflake " POLYFLAKE_VERSION
                     "\" \"User Commands\"\n"
                     ".SH NAME\npolyflake \\- issue 64\\-bit, time\\-ordered ids, and say what they are\n"
                     ".SH SYNOPSIS\n";
  const std::vector<CommandView> tree = tree_of(*options.program);
  for (const CommandView& command : tree) {
    if (!command.name.empty()) page += synopsis(command) + "\n.br\n";
  }
  page +=
      ".SH DESCRIPTION\n"
      "Ids are read and written as decimal numbers, one a line, unless \\fB\\-\\-codec\\fR says otherwise. Commands that take ids "
      "read them from standard input where none is given; a line that is refused ends them, unless \\fB\\-\\-keep\\-going\\fR "
      "is given.\n"
      ".PP\nA time is a date (2026\\-01\\-01), a time in UTC (2026\\-01\\-01T12:00:00Z) or Unix milliseconds.\n"
      ".SH OPTIONS\n" +
      options_of(tree[0]) + ".SH COMMANDS\n";
  for (const CommandView& command : tree) {
    if (command.name.empty()) continue;
    page += ".SS " + roff(command.name) + "\n" + roff(command.description) + ".\n" + options_of(command) +
            examples_of(command);
  }
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\nPOLYFLAKE_WORKER\nWhere the node id comes from where \\fB\\-\\-worker\\fR is not given.\n"
      ".TP\nPOLYFLAKE_HOME\nThe folder of this host's registry.\n"
      ".TP\nNO_COLOR\nNo colours, if it is set and not empty.\n"
      ".TP\nTZ\nThe zone of local times.\n"
      ".SH EXIT STATUS\n";
  for (const ExitCode& one : kExitCodes) {
    std::string meaning = roff(one.meaning);
    meaning[0] = static_cast<char>(meaning[0] - 'a' + 'A');
    page += ".TP\n" + std::to_string(one.code) + "\n" + meaning + ".\n";
  }
  program.out.write(page);
  return kWell;
}

}  // namespace

void add_man(CLI::App& app, Program& program) {
  add_command(app, program, "man", "Print the manual page, as roff", kManExamples, run_man).second.program = &app;
}

}  // namespace polyflake::cli
