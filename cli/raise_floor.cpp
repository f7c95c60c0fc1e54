// polyflake raise-floor: sets the time before which no window of a namespace begins.
#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/text.hpp>

#include "description.hpp"
#include "json.hpp"
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
  bool json = false;
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
  const bool as_json = options.json;
  return Outcome({operation, options.store, options.layout, {std::to_string(unix_ms)}}, [=, &program](const Rows&) {
    if (as_json) {
      JsonObject json(program.out.buffer());
      json.text("floor", to_utc(unix_ms));
      json.number("floor_ms", unix_ms);
      json.end_line();
      return kWell;
    }
    program.out.write(labelled("floor", program.style()) + to_utc(unix_ms) + ", or " + least + " if that is later\n");
    return kWell;
  });
}

}  // namespace

void add_raise_floor(CLI::App& app, Program& program) {
  const auto [command, options] =
      add_command(app, program, "raise-floor",
                  "Let no window of a store's namespace begin before a time, and end all that are held",
                  kRaiseFloorExamples, run_raise_floor);
  command.add_option("STORE", options.store, "Address of the store, with ?namespace=")->type_name("")->required();
  command.add_option("--time", options.time, "That time: a date, a time in UTC, or Unix ms")->type_name("TIME");
  command.add_option("--id", options.id, "The tick after that of this id")->type_name("ID");
  command.add_flag("--lower", options.lower, "Even if the recorded floor is later, as after a wild clock");
  add_layout_option(command, options.layout);
  add_json(command, options.json, "the floor that was asked for");
}

}  // namespace polyflake::cli
