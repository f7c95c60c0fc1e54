// polyflake man: the manual page.
#include <polyflake/version.hpp>

#include "program.hpp"
#include "template.hpp"
#include "texts.hpp"
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

std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

void add_synopsis(Template& page, const CommandView& command) {
  std::string arguments;
  for (const ArgumentView& argument : command.arguments) {
    const std::string name = italic(argument.name) + (argument.many ? " ..." : "");
    arguments += argument.required ? " " + name : " [" + name + "]";
  }
  page.add("synopsis", {{"command", roff(command.name)},
                        {"options", command.options.empty() ? "" : " [" + italic("OPTION") + " ...]"},
                        {"arguments", arguments}});
}

void add_option(Template& page, const OptionView& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  page.add("option", {{"names", names},
                      {"value", option.value.empty() ? "" : " " + italic(option.value)},
                      {"description", roff(option.description)},
                      {"otherwise", option.otherwise.empty() ? "" : " (otherwise " + roff(option.otherwise) + ")"}});
  if (!option.words.empty() && option.value != "WHEN") page.add("words", {{"words", roff(joined(option.words))}});
}

void add_options(Template& page, const CommandView& command) {
  for (const ArgumentView& argument : command.arguments) {
    page.add("argument", {{"argument", roff(argument.name)}, {"description", roff(argument.description)}});
  }
  for (const OptionView& option : command.options) {
    if (option.names.back() != "--help" || command.name.empty()) add_option(page, option);
  }
}

// Adds the examples of a footer, unchanged.
void add_examples(Template& page, const CommandView& command) {
  constexpr std::string_view kBegin = "Examples:\n";
  const std::size_t at = command.footer.find(kBegin);
  if (at == std::string::npos) return;
  std::string lines = command.footer.substr(at + kBegin.size());
  if (lines.back() == '\n') lines.pop_back();
  page.add("examples", {{"examples", roff(lines)}});
}

void add_section(Template& page, const CommandView& command) {
  page.add("command", {{"command", roff(command.name)}, {"description", roff(command.description)}});
  add_options(page, command);
  add_examples(page, command);
}

Outcome run_man(Program& program, const ManOptions& options) {
  Template page(kManText, ".\\\"| ");
  const std::vector<CommandView> tree = tree_of(*options.program);
  add_options(page, tree[0]);
  page.add("commands", {});
  for (const CommandView& command : tree) {
    if (command.name.empty()) continue;
    add_synopsis(page, command);
    add_section(page, command);
  }
  for (const ExitCode& one : kExitCodes) {
    std::string meaning = roff(one.meaning);
    meaning[0] = static_cast<char>(meaning[0] - 'a' + 'A');
    page.add("exit", {{"code", std::to_string(one.code)}, {"meaning", meaning}});
  }
  program.out.write(page.filled({{"version", POLYFLAKE_VERSION}}));
  return kWell;
}

}  // namespace

void add_man(CLI::App& app, Program& program) {
  add_command(app, program, "man", "Print the manual page, as roff", kManExamples, run_man).second.program = &app;
}

}  // namespace polyflake::cli
