// What a command has to work with, and what it comes to.
//
// A file a command: add_<command>(app, program) describes it to CLI11 and says what is to be run when it was chosen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "output.hpp"
#include "style.hpp"

namespace polyflake::cli {

constexpr int kWell = 0;
constexpr int kError = 1;
constexpr int kUsage = 2;
constexpr int kBrokenPipe = 141;  // 128 + SIGPIPE, as a shell says it

struct ExitCode {
  int code;
  const char* meaning;
};
constexpr ExitCode kExitCodes[] = {
    {kWell, "well"},
    {kError, "an error: one line on standard error, with its code (docs/errors.md) where it has one"},
    {kUsage, "wrong usage: the same, with the code usage"},
    {kBrokenPipe, "nobody reads the output any more"}};

// An exit code, or what the host is asked for and what follows from its answer.
struct Outcome {
  Outcome(int code) : exit_code(code) {}  // NOLINT: an exit code is an outcome
  Outcome(Request asked, std::function<Outcome(const Rows&)> after)
      : request(std::move(asked)), then(std::move(after)) {}

  int exit_code = kWell;
  std::optional<Request> request;
  std::function<Outcome(const Rows&)> then;
};

// Wrong usage that CLI11 cannot know of.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Texts of others on one line of plain ASCII: control characters and what is not ASCII as \xNN.
std::string one_line(std::string_view text);

class Program {
 public:
  Output out{1};
  Output err{2};
  std::string color = "auto";
  std::function<Outcome()> chosen;

  // For what goes to the output. See style.hpp.
  Style style() const;

  // One line to standard error, after what was written so far: "polyflake: <code>: <message>", or without a code.
  // Errors: BrokenPipe, StreamFailure; where the output fails, after the line was written.
  void complain(const std::string& code, const std::string& message);
};

// A command of the program. run: called with its options once they were read.
template <class Options>
CLI::App* add_command(CLI::App& app, Program& program, const std::string& name, const std::string& description,
                      const std::string& examples, std::shared_ptr<Options> options,
                      Outcome (*run)(Program&, const Options&)) {
  CLI::App* const command = app.add_subcommand(name, description);
  command->footer("Examples:\n" + examples);
  command->callback(
      [&program, options, run] { program.chosen = [&program, options, run] { return run(program, *options); }; });
  return command;
}

// A check of numbers, where CLI11 would take an empty text for 0, or for none.
std::string refuse_empty(const std::string& text);

// --layout, for all commands that read or make ids.
CLI::Option* add_layout(CLI::App& command, std::string& layout);

// --now: what is reckoned from the present is reckoned from there.
struct Now {
  std::optional<std::string> text;
  std::int64_t ms() const;  // Errors: option_invalid
};
void add_now(CLI::App& command, Now& now);

void add_next(CLI::App& app, Program& program);
void add_inspect(CLI::App& app, Program& program);
void add_encode(CLI::App& app, Program& program);
void add_decode(CLI::App& app, Program& program);
void add_range(CLI::App& app, Program& program);
void add_layout_command(CLI::App& app, Program& program);
void add_presets(CLI::App& app, Program& program);
void add_diff(CLI::App& app, Program& program);
void add_seal(CLI::App& app, Program& program);
void add_unseal(CLI::App& app, Program& program);
void add_leases(CLI::App& app, Program& program);
void add_init(CLI::App& app, Program& program);
void add_raise_floor(CLI::App& app, Program& program);
void add_bench(CLI::App& app, Program& program);
void add_doctor(CLI::App& app, Program& program);
void add_completion(CLI::App& app, Program& program);
void add_man(CLI::App& app, Program& program);

}  // namespace polyflake::cli
