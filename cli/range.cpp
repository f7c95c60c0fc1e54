// polyflake range: the ids of a time span, for queries.
#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>

#include "description.hpp"
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
};

Outcome run_range(Program& program, const RangeOptions& options) {
  const Layout layout(options.layout);
  const std::int64_t from_ms = parse_instant("--from", options.from);
  const std::int64_t to_ms = parse_instant("--to", options.to);
  if (to_ms <= from_ms) {
    throw Error(ErrorCode::option_invalid,
                "--to is the end of the time span, which is not part of it: it must lie after --from");
  }
  const std::string first = std::to_string(layout.first_id(from_ms));
  const std::string last = std::to_string(layout.last_id(to_ms - 1));
  const Style style = program.style();
  program.out.write(labelled("first", style) + first + "\n");
  program.out.write(labelled("last", style) + last + "\n");
  program.out.write(labelled("sql", style) + "WHERE id BETWEEN " + first + " AND " + last + "\n");
  return kWell;
}

}  // namespace

void add_range(CLI::App& app, Program& program) {
  auto options = std::make_shared<RangeOptions>();
  CLI::App* const command = add_command(app, program, "range", "Give the first and the last id of a time span, for SQL",
                                        kRangeExamples, options, run_range);
  command->add_option("--from", options->from, "Beginning: a date, a time in UTC, or Unix ms")
      ->type_name("TIME")
      ->required();
  command->add_option("--to", options->to, "End, which is not part of it")->type_name("TIME")->required();
  add_layout(*command, options->layout);
}

}  // namespace polyflake::cli
