// Options: what a generator is opened with. Everything has a default; opening checks the values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <polyflake/clock.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/worker.hpp>

namespace polyflake {

// What holds between the ids of one generator. Those of one thread always rise, and none is ever issued twice.
enum class Ordering {
  strict,      // an id is above every id whose call returned before its call began, in whatever thread
  per_thread,  // only as far as the tick: each thread keeps a reserve of the tick's sequence for itself, which spares
               // threads the fight for one memory word. A thread leaves up to 1/64 of a tick's sequence unused
};

// "strict" or "per_thread". Errors: option_invalid.
Ordering parse_ordering(std::string_view text);

struct Options {
  Worker worker;  // see worker.hpp
  Layout layout = "polyflake";
  std::int64_t max_wait_ms = 10;                // longest one call may wait for the clock, 0 to 2^31 - 1; one
                                                // tick is always waited out; counts in whole ticks, rounded down
  std::int64_t max_lead_ms = 0;                 // how far ids may run ahead of the clock without waiting, same range;
                                                // with a `host` worker two ticks less than its window of 2 s
  std::optional<std::int64_t> sequence_spread;  // 1 (start every tick at sequence 0) to an eighth of the sequence's
                                                // capacity, which is the default
  Ordering ordering = Ordering::strict;
  std::shared_ptr<Clock> clock;  // null: the system clock
};

}  // namespace polyflake
