// Messages of a generator that may not issue: they describe the clock and the files, in terms of
// its options.
#include <polyflake/error.hpp>

#include <algorithm>
#include <string>

#include "issue/counters.hpp"
#include "issue/current_tick.hpp"
#include "issue/issuing.hpp"

namespace polyflake {
namespace {

std::string duration(std::int64_t ms) {
  constexpr std::int64_t kDayMs = 86'400'000;
  return std::to_string(ms) + " ms" + (ms >= 2 * kDayMs ? " (" + std::to_string(ms / kDayMs) + " days)" : "");
}

[[noreturn]] void refuse_beyond_window(const Node& node, const std::string& missing) {
  throw Error(ErrorCode::clock_behind,
              "node id " + std::to_string(node.id()) +
                  " ran ahead of the clock before the host registry guarded it, further than the "
                  "registry reserves; its next id can be had when the clock gets " +
                  missing + " further");
}

[[noreturn]] void refuse_far_start(const Node& node, const std::string& missing) {
  const std::string keeper = node.keeper();
  throw Error(
      ErrorCode::clock_behind,
      "node id " + std::to_string(node.id()) + " may not be used before the clock gets " + missing + " further" +
          (keeper.empty() ? "; was the clock set back?" : ": so far '" + keeper + "' reserves it" + node.way_back()));
}

}  // namespace

void refuse_late(const Node& node) {
  throw Error(ErrorCode::registry_unusable,
              "writing the mark of node id " + std::to_string(node.id()) + " to '" + node.keeper() +
                  "' took longer than the window of " +
                  std::to_string(node.grant()->growth.window * node.layout().tick_ms()) +
                  " ms that it was to open: the disk is too slow, or this process was stopped meanwhile; try again");
}

void refuse_clock_behind(const Pace& pace, Node& node, const Grant& grant, std::uint64_t tick) {
  // Reads the clock, not the cached tick, which learns of a step a moment late.
  const auto now = static_cast<std::int64_t>(current_tick(node.layout(), node.clock().now_ms()));
  // At least a tick: the clock may have moved since the check failed.
  const auto until = [&](std::int64_t ticks) {
    return duration(std::max<std::int64_t>(ticks - now, 1) * node.layout().tick_ms());
  };
  const std::uint64_t last = grant.last.load(std::memory_order_relaxed);
  if (last == grant.begin && grant.growth.window != 0 &&
      node.tick_of(last) > grant.until.load(std::memory_order_relaxed)) {
    refuse_beyond_window(node, until(static_cast<std::int64_t>(claimable_from(pace, node, grant, last))));
  }
  const std::string missing = until(static_cast<std::int64_t>(tick) - pace.lead_ticks);
  const std::string allowed =
      "one call may wait " + std::to_string(pace.wait_ticks * node.layout().tick_ms()) + " ms; ";
  if (last == grant.begin) refuse_far_start(node, missing);
  const bool stepped_back = now < node.counters().clock_seen.load(std::memory_order_relaxed);
  throw Error(ErrorCode::clock_behind,
              stepped_back ? "the clock was set back: it is " + missing + " behind the ids already issued, and " +
                                 allowed + "try again later, or raise max_wait_ms or max_lead_ms"
                           : "all ids of the next " + missing + " are taken already, and " + allowed +
                                 "ask for fewer at once, or raise max_wait_ms or max_lead_ms");
}

}  // namespace polyflake
