// Pace: how the ids of one generator keep to the clock; what its options come down to, in ticks.
#pragma once

#include <cstdint>

#include <polyflake/options.hpp>

namespace polyflake {

struct Pace {
  // Errors: option_invalid.
  explicit Pace(const Options& options);

  std::int64_t lead_ticks;  // ids may be so far ahead of the clock without waiting
  std::int64_t wait_ticks;  // at least 1: one call waits for no more
  std::uint64_t spread;     // a tick begins at a sequence below it
  Ordering ordering;
};

}  // namespace polyflake
