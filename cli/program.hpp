// The tools of a command, and its result.
//
// There is one file for each command of commands.hpp: add_<command>(app, program) describes it to
// CLI11 and registers the function to run if it is chosen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "one_line.hpp"
#include "output.hpp"
#include "style.hpp"

namespace polyflake::cli {

constexpr int kWell = 0;
constexpr int kError = 1;
constexpr int kUsage = 2;
constexpr int kBrokenPipe = 141;  // 128 + SIGPIPE, as shells report it

struct ExitCode {
  int code;
  const char* meaning;
};
constexpr ExitCode kExitCodes[] = {
    {kWell, "well"},
    {kError, "an error: one line on standard error, with its code (docs/errors.md) where it has one"},
    {kUsage, "wrong usage: the same, with the code usage"},
    {kBrokenPipe, "nobody reads the output any more"}};

// An exit code, or a request to the host and the continuation with its answer.
struct Outcome {
  Outcome(int code) : exit_code(code) {}  // NOLINT: an exit code is an outcome
  Outcome(Request asked, std::function<Outcome(const Rows&)> after)
      : request(std::move(asked)), then(std::move(after)) {}

  int exit_code = kWell;
  std::optional<Request> request;
  std::function<Outcome(const Rows&)> then;
};

// Wrong usage that CLI11 cannot detect.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Program {
 public:
  Output out{1};
  Output err{2};
  std::string color = "auto";
  std::function<Outcome()> chosen;

  // Returns the style of the output. See style.hpp.
  Style style() const;

  // Writes one line to standard error, after flushing the output: "polyflake: <code>: <message>",
  // or without a code.
  // Errors: BrokenPipe, StreamFailure; if the output fails, after it wrote the line.
  void complain(const std::string& code, const std::string& message);
};

// Adds a command to the program. run: called with its options after they were read.
// Returns the command and its options, which it keeps.
template <class Options>
std::pair<CLI::App&, Options&> add_command(CLI::App& app, Program& program, const std::string& name,
                                           const std::string& description, const std::string& examples,
                                           Outcome (*run)(Program&, const Options&)) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand(name, description);
  command.footer("Examples:\n" + examples);
  command.callback(
      [&program, options, run] { program.chosen = [&program, options, run] { return run(program, *options); }; });
  return {command, *options};
}

// Adds --layout, for all commands that read or make ids.
CLI::Option* add_layout_option(CLI::App& command, std::string& layout);

// --now: replaces the present in all calculations.
struct Now {
  std::optional<std::string> text;
  std::int64_t ms() const;  // Errors: option_invalid
};
void add_now(CLI::App& command, Now& now);

// --json, for a command that prints facts otherwise in lines for people.
void add_json(CLI::App& command, bool& json, const std::string& what);

#define POLYFLAKE_DECLARE(COMMAND) void add_##COMMAND(CLI::App& app, Program& program);
POLYFLAKE_COMMANDS(POLYFLAKE_DECLARE)
#undef POLYFLAKE_DECLARE

}  // namespace polyflake::cli
