// polyflake raise-floor: no window of a namespace begins before a time.
#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/text.hpp>

#include "description.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kRaiseFloorExamples =
    "  polyflake raise-floor --time 2026-01-01T00:00:00Z 'redis://localhost/0?namespace=orders'\n"
    "  polyflake raise-floor --id 878208028622848005 'redis://localhost/0?namespace=orders'\n";

struct RaiseFloorOptions {
  std::string store;
  std::string layout = "polyflake";
  std::optional<std::string> time;
  std::optional<std::string> id;
  bool lower = false;
};

std::int64_t floor_ms(const RaiseFloorOptions& options, const Layout& layout) {
  if (options.time.has_value() == options.id.has_value()) throw UsageError("give either --time or --id");
  if (options.time) return parse_instant("--time", *options.time);
  return layout.time_of(layout.unpack(from_text(*options.id)).tick + 1);
}

Outcome run_raise_floor(Program& program, const RaiseFloorOptions& options) {
  const std::int64_t unix_ms = floor_ms(options, Layout(options.layout));
  const char* const operation = options.lower ? "lower_floor" : "raise_floor";
  const std::string least = options.lower ? "W + 2S from now" : "where it was";
  return Outcome({operation, options.store, options.layout, {std::to_string(unix_ms)}}, [&program, unix_ms,
                                                                                         least](const Rows&) {
    program.out.write(labelled("floor", program.style()) + to_utc(unix_ms) + ", or " + least + " if that is later\n");
    return kWell;
  });
}

}  // namespace

void add_raise_floor(CLI::App& app, Program& program) {
  auto options = std::make_shared<RaiseFloorOptions>();
  CLI::App* const command =
      add_command(app, program, "raise-floor",
                  "Let no window of a store's namespace begin before a time, and end all that are held",
                  kRaiseFloorExamples, options, run_raise_floor);
  command->add_option("STORE", options->store, "Address of the store, with ?namespace=")->type_name("")->required();
  command->add_option("--time", options->time, "That time: a date, a time in UTC, or Unix ms")->type_name("TIME");
  command->add_option("--id", options->id, "The tick after that of this id")->type_name("ID");
  command->add_flag("--lower", options->lower, "Even if the recorded floor is later, as after a wild clock");
  add_layout(*command, options->layout);
}

}  // namespace polyflake::cli
