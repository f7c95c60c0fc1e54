// The counters of a node: off the fast path. Relaxed, since no decision depends on them.
#pragma once

#include <polyflake/stats.hpp>

#include <atomic>
#include <cstdint>

namespace polyflake {

struct Counters {
  std::atomic<std::uint64_t> waits{0};
  std::atomic<std::uint64_t> waited_ns{0};
  std::atomic<std::uint64_t> exhaustions{0};
  std::atomic<std::uint64_t> steps_back{0};
  std::atomic<std::int64_t> largest_step_back{0};   // ticks
  std::atomic<std::int64_t> step_counted_at{-1};    // the `clock_seen` of the last counted step
  std::atomic<std::int64_t> clock_seen{INT64_MIN};  // the clock at the last jump to a new tick
  std::atomic<std::uint64_t> issued_reported{0};    // so that reports never go down

  // Fills in the statistics that are counted here.
  void report(Stats& stats, std::int64_t tick_ms) const {
    constexpr auto relaxed = std::memory_order_relaxed;
    stats.waits = waits.load(relaxed);
    stats.waited_ms = static_cast<double>(waited_ns.load(relaxed)) / 1e6;
    stats.sequence_exhaustions = exhaustions.load(relaxed);
    stats.clock_steps_back = steps_back.load(relaxed);
    stats.largest_step_back_ms = largest_step_back.load(relaxed) * tick_ms;
  }
};

}  // namespace polyflake
