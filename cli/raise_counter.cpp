// polyflake raise-counter: sets the next number of a counter in a store.
#include <cstdint>
#include <optional>

#include "counter_numbers.hpp"
#include "description.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kRaiseCounterExamples =
    "  polyflake raise-counter invoices --after 41207 'redis://localhost/0?namespace=orders'\n"
    "  polyflake raise-counter tickets --after 120 --period 20260414 'redis://localhost/0?namespace=orders'\n";

struct RaiseCounterOptions {
  std::string counter;
  std::string store;
  std::optional<std::uint64_t> after;
  std::optional<std::uint64_t> period;
  bool json = false;
};

Outcome run_raise_counter(Program& program, const RaiseCounterOptions& options) {
  const std::string after = std::to_string(checked_after(options.after));
  const std::string period = options.period ? std::to_string(*options.period) : "";
  return Outcome({"raise_counter", options.store, "", {options.counter, after, period}},
                 [&program, &options, after, period](const Rows&) {
                   if (options.json) {
                     JsonObject json(program.out.buffer());
                     append_counter(json, options.counter, after);
                     if (options.period) json.text("period", period);
                     json.end_line();
                     return kWell;
                   }
                   program.out.write(labelled("counter", program.style()) + one_line(options.counter) + ", after " +
                                     after + (options.period ? " of " + period : "") + "\n");
                   return kWell;
                 });
}

}  // namespace

void add_raise_counter(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "raise-counter",
                  "Set the next number of a counter: first of all after a backup of its store was put back",
                  kRaiseCounterExamples, run_raise_counter);
  command.add_option("COUNTER", options.counter, "Name of the counter")->type_name("")->required();
  command.add_option("STORE", options.store, "Address of the store, with ?namespace=")->type_name("")->required();
  add_after(command, options.after);
  constexpr std::uint64_t kGreatestLabel = 9999'12'31;
  add_number(
      command, "--period", 1, kGreatestLabel, [&into = options.period](std::uint64_t period) { into = period; },
      "Of a date: the period of that number, such as 20260414, which must be the present one");
  add_json(command, options.json, "the counter");
}

}  // namespace polyflake::cli
