// polyflake doctor: checks the parts of this machine that ids depend on.
#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "description.hpp"
#include "machine.hpp"
#include "program.hpp"
#include "report.hpp"
#include "tree.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kDoctorExamples =
    "  polyflake doctor\n"
    "  polyflake doctor --layout twitter\n";

struct DoctorOptions {
  std::string layout = "polyflake";
  Now now;
  bool json = false;
};

void look_at_clock_source(Report& report) {
  const std::string source = machine::clock_source();
  if (source.empty()) return report.told("clock source", "this system does not say");
  const bool slow = source == "hpet" || source == "acpi_pm";
  if (slow || source == "jiffies") {
    return report.warned("clock source",
                         source +
                             (slow ? ": a reading takes a microsecond or more, and every id needs one; of "
                                   : ": time stands still for some ms and then jumps, and ids wait for it; of ") +
                             joined(machine::clock_sources()));
  }
  report.well("clock source", source);
}

void look_at_counter(Report& report) {
  const auto features = machine::counter_features();
  if (!features) return report.told("tsc", "this processor has none, or does not say");
  const auto has = [&](const char* name) {
    return std::find(features->begin(), features->end(), name) != features->end();
  };
  const std::string named = features->empty() ? "no features" : joined(*features);
  if (has("constant_tsc") && has("nonstop_tsc")) {
    const bool used = machine::clock_source() == "tsc";
    return report.well(
        "tsc", named + (used ? "; ids read the clock by it" : "; not used, since the kernel does not keep time by it"));
  }
  report.told("tsc", named + "; not used: it may change its rate or stand still");
}

void look_at_discipline(Report& report) {
  const auto services = machine::time_services();
  const std::string running = !services           ? "which programs run is not known here"
                              : services->empty() ? "no time service runs here"
                                                  : joined(*services) + " runs";
  const auto state = machine::discipline();
  if (!state) return report.told("ntp", running + "; the kernel does not say more");
  if (!state->synchronised) {
    return report.warned("ntp",
                         "the clock is not synchronised, " + running +
                             ": hosts that differ issue ids whose order says nothing, and a lease may be refused");
  }
  report.well("ntp",
              "synchronised, off by " + std::to_string(state->largest_error_us / 1000) + " ms at most; " + running);
  if (state->leap_second) {
    report.warned("leap second",
                  "today; where it is not smeared the clock skips a second, or goes back by one, and then ids wait");
  }
}

void look_at_traces(Report& report, std::int64_t now_ms) {
  int found = 0;
  for (const machine::Trace& trace : machine::traces()) {
    if (!is_ahead(trace.written_ms, now_ms, 0)) continue;
    ++found;
    report.warned("clock steps",
                  trace.path + " was written " + relative(trace.written_ms, now_ms) + ": the clock was set back");
  }
  if (found == 0) report.well("clock steps", "no sign that the clock was set back");
}

void look_at_forks(Report& report) {
  const std::optional<bool> wiped = machine::forks_wipe_memory();
  if (!wiped) return report.told("fork", "whether copies of a process find out that they are one could not be tried");
  if (*wiped) return report.well("fork", "copies of a process find out that they are one");
  report.warned("fork", "MADV_WIPEONFORK does not work: a copy made without fork() would not find out that it is one");
}

void look_at_worker(Report& report) {
  const char* const worker = std::getenv("POLYFLAKE_WORKER");
  if (worker == nullptr) return report.told("worker", "nobody chose by POLYFLAKE_WORKER");
  report.told("worker", "POLYFLAKE_WORKER is " + (is_store_address(worker) ? std::string("the address of a store")
                                                                           : polyflake::quoted(worker)));
}

void look_at_layout(Report& report, const Layout& layout, const std::string& name, std::int64_t now_ms) {
  const std::int64_t end_ms = layout.time_of(layout.end_tick());
  constexpr std::int64_t kFiveYearsMs = 157'784'760'000;
  if (now_ms < layout.epoch_ms()) return report.wrong("layout", name + " has not begun: is the clock right?");
  if (now_ms >= end_ms) return report.wrong("layout", name + " has ended " + relative(end_ms, now_ms));
  const std::string left = name + " lasts " + duration(static_cast<std::uint64_t>(end_ms - now_ms));
  if (end_ms - now_ms < kFiveYearsMs) return report.warned("layout", left);
  report.well("layout", left);
}

Outcome run_doctor(Program& program, const DoctorOptions& options) {
  const std::int64_t now_ms = options.now.ms();
  const Layout layout(options.layout);
  Report report(program, options.json);
  look_at_clock_source(report);
  look_at_counter(report);
  look_at_discipline(report);
  look_at_traces(report, now_ms);
  look_at_forks(report);
  look_at_registry(report, layout, now_ms);
  look_at_worker(report);
  look_at_layout(report, layout, options.layout, now_ms);
  return report.end();
}

}  // namespace

void add_doctor(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "doctor", "Look whether this machine is fit to issue ids", kDoctorExamples, run_doctor);
  add_layout_option(command, options.layout);
  add_now(command, options.now);
  add_json(command, options.json, "each finding");
}

}  // namespace polyflake::cli
