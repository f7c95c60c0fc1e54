#include "issue/current_tick.hpp"

#include <polyflake/error.hpp>

#include <string>

namespace polyflake {

std::uint64_t current_tick(const Layout& layout, std::int64_t unix_ms) {
  if (unix_ms < layout.epoch_ms()) {
    throw Error(ErrorCode::clock_before_epoch,
                "the clock shows " + std::to_string(unix_ms) + " ms since 1970, before the layout's epoch at " +
                    std::to_string(layout.epoch_ms()) + " ms; set the clock, or use a layout with an earlier epoch");
  }
  const auto tick = static_cast<std::uint64_t>((unix_ms - layout.epoch_ms()) / layout.tick_ms());
  if (tick >= layout.end_tick()) refuse_exhausted(layout);
  return tick;
}

void refuse_exhausted(const Layout& layout) {
  throw Error(ErrorCode::time_exhausted, "the timestamp of layout '" + layout.text() +
                                             "' is used up; ids need a layout with a later epoch or more time bits");
}

}  // namespace polyflake
