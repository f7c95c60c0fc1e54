// What a generator did so far, and where it stands: Generator::stats().
#pragma once

#include <cstdint>

namespace polyflake {

// Of the node that the generator shares with others of its layout and node id.
struct Stats {
  std::uint64_t issued;                // ids; calls under way may be missing. With Ordering::per_thread also what
                                       // other threads hold, or held when they turned to another generator
  std::uint64_t waits;                 // claims that had to wait for their tick
  double waited_ms;                    // for how long, as planned when they were claimed
  std::uint64_t sequence_exhaustions;  // ticks whose sequence ran out before the clock moved on
  std::uint64_t clock_steps_back;      // as seen by calls
  std::int64_t largest_step_back_ms;
  std::int64_t lead_ms;          // the last id's tick minus the clock; 0 when not ahead
  std::int64_t until_ms;         // Unix ms at which the current grant ends
  double years_left;             // until the layout's last tick
  std::uint64_t renewals;        // of a lease, that its store confirmed; 0 for other workers
  std::uint64_t store_failures;  // answers of that store that did not come
  std::int64_t held_ms;          // by how much a clock that was set back is held up for ids that rise all the same
                                 // (uuid7 and objectid); 0 for others

  // Calls take(name, value) for each of them, in this order: its name as it is here, and a std::uint64_t, std::int64_t or
  // double. For what writes them down; all languages take names and order from here.
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
  }
};

}  // namespace polyflake
