// Pace: the options of a generator that relate ids to the clock, in ticks.
#pragma once

#include <cstdint>

#include <polyflake/options.hpp>

namespace polyflake {

struct Pace {
  // Errors: option_invalid.
  explicit Pace(const Options& options);

  std::int64_t lead_ticks;  // ids may be this far ahead of the clock without waiting
  std::int64_t wait_ticks;  // at least 1: the longest wait of one call
  std::uint64_t spread;     // a tick begins at a sequence below this
  Ordering ordering;
};

}  // namespace polyflake
