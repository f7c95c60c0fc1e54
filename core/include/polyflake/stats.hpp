// Stats: the counters and the present state of a generator, from Generator::stats().
#pragma once

#include <cstdint>

namespace polyflake {

// Counters of a node. All generators of a process with the same layout and node id share one.
struct Stats {
  // Ids issued; calls in progress may be missing. With Ordering::per_thread this includes ids that
  // other threads have in reserve, or had when they switched to another generator.
  std::uint64_t issued;
  std::uint64_t waits;                 // claims that had to wait for their tick
  double waited_ms;                    // their total wait, as planned when they were claimed
  std::uint64_t sequence_exhaustions;  // ticks whose sequence ran out before the clock moved on
  std::uint64_t clock_steps_back;      // as seen by calls
  std::int64_t largest_step_back_ms;
  std::int64_t lead_ms;   // the last id's tick minus the clock; 0 if not ahead
  std::int64_t until_ms;  // Unix ms at which the current grant ends
  // Until the layout's last tick; of a counter until its last number, at the rate of this source.
  double years_left;
  std::uint64_t renewals;        // of a lease, confirmed by its store; 0 for other workers
  std::uint64_t store_failures;  // requests that this store did not answer
  // The lead over a clock that was set back, so that ids rise (uuid7 and objectid); 0 for others.
  std::int64_t held_ms;
  // The rest is of a counter; 0 for others.
  std::uint64_t held;          // numbers that a crash would lose
  std::uint64_t step;          // numbers of the next fetch
  std::uint64_t fetches;       // ranges that the store gave
  std::int64_t last_fetch_ms;  // how long the store took for the last of them
  std::uint64_t jumps;         // failovers after which numbers were left out
  std::uint64_t left;          // numbers up to the last one of the counter, when it was last asked

  // Calls take(name, value) for each member in this order, with its name here and its value as
  // std::uint64_t, std::int64_t or double. For code that writes them down; all languages take names
  // and order from here.
  template <class Take>
  void each(Take take) const {
    take("issued", issued);
    take("waits", waits);
    take("waited_ms", waited_ms);
    take("sequence_exhaustions", sequence_exhaustions);
    take("clock_steps_back", clock_steps_back);
    take("largest_step_back_ms", largest_step_back_ms);
    take("lead_ms", lead_ms);
    take("until_ms", until_ms);
    take("years_left", years_left);
    take("renewals", renewals);
    take("store_failures", store_failures);
    take("held_ms", held_ms);
    take("held", held);
    take("step", step);
    take("fetches", fetches);
    take("last_fetch_ms", last_fetch_ms);
    take("jumps", jumps);
    take("left", left);
  }
};

}  // namespace polyflake
