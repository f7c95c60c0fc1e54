#include "command.hpp"

#include <polyflake/error.hpp>
#include <polyflake/version.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

#include "program.hpp"
#include "system.hpp"
#include "usage.hpp"
#include "utf8.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kDescription =
    "64-bit, time-ordered ids: issues them, and says what they are.\n"
    "\n"
    "Ids and layouts: docs/bit-layout.md. Where node ids come from: docs/worker-ids.md.";

constexpr const char* kProgramExamples =
    "  polyflake next\n"
    "  polyflake inspect 878208028622848005\n"
    "  polyflake next --help\n";

std::string footer() {
  std::string text = "Exit codes:\n";
  for (const ExitCode& one : kExitCodes) {
    const std::string code = std::to_string(one.code);
    text += "  " + code + std::string(5 - code.size(), ' ') + one.meaning + "\n";
  }
  return text + "\nExamples:\n" + kProgramExamples;
}

}  // namespace

class Command::State {
 public:
  explicit State(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
    system::fill_standard_descriptors();
    app_.require_subcommand(1);
    app_.fallthrough();
    // A flag is given or not: no --json=false.
    app_.option_defaults()->disable_flag_override();
    app_.footer(footer());
    app_.set_version_flag("--version", std::string("polyflake ") + POLYFLAKE_VERSION, "Print the version and exit");
    app_.add_option("--color", program_.color, "Colours: auto, always or never; auto heeds NO_COLOR")
        ->type_name("WHEN")
        ->check(one_of({"auto", "always", "never"}))
        ->capture_default_str();
#define POLYFLAKE_ADD(COMMAND) add_##COMMAND(app_, program_);
    POLYFLAKE_COMMANDS(POLYFLAKE_ADD)
#undef POLYFLAKE_ADD
  }

  std::optional<Request> step() {
    guarded([this] { outcome_ = next(); });
    if (outcome_.request) return outcome_.request;
    guarded([this] { program_.out.flush(); });
    return std::nullopt;
  }

  void deliver(Rows rows) { answer_ = std::move(rows); }

  void fail(const std::string& code, const std::string& message) {
    // The continuation is gone, and with it its progress on the terminal.
    outcome_ = kError;
    guarded([&] { program_.complain(code, message); });
  }

  int exit_code() const { return outcome_.exit_code; }

 private:
  Outcome next() {
    if (!begun_) {
      begun_ = true;
      if (!parse()) return outcome_;
      return shown(program_.chosen());
    }
    if (!answer_) return outcome_;
    const auto then = std::move(outcome_.then);
    return shown(then(*std::exchange(answer_, std::nullopt)));
  }

  // Flushes the output before a host is asked.
  Outcome shown(Outcome outcome) {
    program_.out.flush();
    return outcome;
  }

  // Returns false if the command line was complete: help, the version, wrong usage.
  bool parse() {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (is_whole_utf8(arguments_[i])) continue;
      throw UsageError("argument " + std::to_string(i + 1) + " cannot be read in this locale: set LC_ALL=C.UTF-8");
    }
    if (arguments_.empty()) arguments_.emplace_back("--help");
    std::reverse(arguments_.begin(), arguments_.end());  // the order that CLI11 takes
    try {
      app_.parse(std::move(arguments_));
      return true;
    } catch (const CLI::Success& wanted) {
      std::ostringstream out, err;
      app_.exit(wanted, out, err);
      program_.out.write(out.str());
      outcome_ = kWell;
    } catch (const CLI::ParseError& error) {
      throw UsageError(sentence_of(error, app_));
    }
    return false;
  }

  template <class Work>
  void guarded(const Work& work) {
    try {
      try {
        work();
      } catch (const Error& error) {
        refuse(kError, error.code_name(), error.what());
      } catch (const UsageError& error) {
        refuse(kUsage, "usage", std::string(error.what()) + " (see --help)");
      }
    } catch (const BrokenPipe&) {
      outcome_ = kBrokenPipe;
    } catch (const std::bad_alloc&) {
      fail_without_code("out of memory");
    } catch (const std::exception& error) {  // StreamFailure, or a foreign exception
      fail_without_code(error.what());
    }
  }

  void refuse(int exit_code, const std::string& code, const std::string& message) {
    outcome_ = exit_code;
    program_.complain(code, message);
  }

  void fail_without_code(const char* message) {
    outcome_ = kError;
    try {
      program_.complain("", message);
    } catch (const BrokenPipe&) {
      outcome_ = kBrokenPipe;
    } catch (...) {
      // Standard error cannot be written.
    }
  }

  std::vector<std::string> arguments_;
  CLI::App app_{kDescription, "polyflake"};
  Program program_;
  Outcome outcome_ = kWell;
  std::optional<Rows> answer_;
  bool begun_ = false;
};

Command::Command(std::vector<std::string> arguments) : state_(std::make_unique<State>(std::move(arguments))) {}
Command::~Command() = default;
std::optional<Request> Command::step() { return state_->step(); }
void Command::deliver(Rows rows) { state_->deliver(std::move(rows)); }
void Command::fail(const std::string& code, const std::string& message) { state_->fail(code, message); }
int Command::exit_code() const { return state_->exit_code(); }

}  // namespace polyflake::cli
