// Options: the settings of a generator. Each has a default; opening a generator checks the values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <polyflake/clock.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

namespace polyflake {

// The order between the ids of one generator. Ids of one thread always rise, and no id is issued
// twice.
enum class Ordering {
  strict,  // an id is above every id whose call returned before its call began, in any thread
  // Ids of different threads are ordered by tick only. Each thread keeps a reserve of the tick's
  // sequence, so threads do not compete for one memory word. A thread leaves up to 1/64 of a tick's
  // sequence unused.
  per_thread,
};

// Accepts "strict" and "per_thread". Errors: option_invalid.
Ordering parse_ordering(std::string_view text);

struct Options {
  Worker worker;  // see worker.hpp
  Layout layout = "polyflake";
  // The longest one call may wait for the clock: 0 to 2^31 - 1. Rounded down to whole ticks; a call
  // always waits for one tick if it has to.
  std::int64_t max_wait_ms = 10;
  // Ids may run this far ahead of the clock without waiting: 0 to 2^31 - 1. With a `host` worker at
  // most two ticks less than its window of 2 s.
  std::int64_t max_lead_ms = 0;
  // The number of values over which the first sequence of a tick is spread: 1 (it is always 0) to
  // an eighth of the sequence's capacity (the default).
  std::optional<std::int64_t> sequence_spread;
  Ordering ordering = Ordering::strict;
  std::shared_ptr<Clock> clock;  // null: the system clock
};

}  // namespace polyflake
