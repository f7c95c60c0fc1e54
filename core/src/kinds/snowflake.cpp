#include <polyflake/generator.hpp>

#include "kinds/kind.hpp"

namespace polyflake {
namespace {

std::unique_ptr<IdSource> open_snowflake(KindOptions& options) {
  Options typed;
  take_numbers(options, typed, false);
  typed.clock = options.take_clock("clock");
  typed.worker = options.take_worker("worker").value_or(Worker());
  typed.layout = options.take_layout("layout").value_or(typed.layout);
  typed.ordering = parse_ordering(options.take_text("ordering").value_or("strict"));
  options.refuse_the_rest("snowflake");
  return std::make_unique<Generator>(typed);
}

}  // namespace

constexpr Kind kind::snowflake{"snowflake", kNumbers, open_snowflake};

}  // namespace polyflake
