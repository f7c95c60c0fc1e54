// polyflake range: the ids of a time span, for queries.
#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>

#include "description.hpp"
#include "json.hpp"
#include "program.hpp"

namespace polyflake::cli {
namespace {

constexpr const char* kRangeExamples =
    "  polyflake range --from 2026-01-01 --to 2026-02-01\n"
    "  polyflake range --layout twitter --from 2026-01-01T12:00:00Z --to 2026-01-01T13:00:00Z\n";

struct RangeOptions {
  std::string from;
  std::string to;
  std::string layout = "polyflake";
  bool json = false;
};

void require_order(const Layout& layout) {
  const std::string& first = layout.fields().front().name;
  if (first == layout.timestamp().name) return;
  throw Error(ErrorCode::layout_invalid, "ids of this layout do not sort by time: its first field is " + first +
                                             ", not timestamp, so no span of ids is a span of time");
}

Outcome run_range(Program& program, const RangeOptions& options) {
  const Layout layout(options.layout);
  require_order(layout);
  const std::int64_t from_ms = parse_instant("--from", options.from);
  const std::int64_t to_ms = parse_instant("--to", options.to);
  if (to_ms <= from_ms) {
    throw Error(ErrorCode::option_invalid,
                "--to is the end of the time span, which is not part of it: it must lie after --from");
  }
  const std::string first = std::to_string(layout.first_id(from_ms));
  const std::string last = std::to_string(layout.last_id(to_ms - 1));
  const std::string sql = "WHERE id BETWEEN " + first + " AND " + last;
  if (options.json) {
    JsonObject json(program.out.buffer());
    json.said("layout", options.layout);
    json.text("first", first);
    json.text("last", last);
    json.text("sql", sql);
    json.end_line();
    return kWell;
  }
  const Style style = program.style();
  program.out.write(labelled("first", style) + first + "\n");
  program.out.write(labelled("last", style) + last + "\n");
  program.out.write(labelled("sql", style) + sql + "\n");
  return kWell;
}

}  // namespace

void add_range(CLI::App& app, Program& program) {
  const auto [command, options] = add_command(
      app, program, "range", "Give the first and the last id of a time span, for SQL", kRangeExamples, run_range);
  command.add_option("--from", options.from, "Beginning: a date, a time in UTC, or Unix ms")
      ->type_name("TIME")
      ->required();
  command.add_option("--to", options.to, "End, which is not part of it")->type_name("TIME")->required();
  add_layout_option(command, options.layout);
  add_json(command, options.json, "the span");
}

}  // namespace polyflake::cli
