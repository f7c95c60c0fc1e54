// The step of a segment: how many numbers one fetch takes, so that what is held bridges the time
// for which the store may be away.
#pragma once

#include <cstdint>
#include <optional>

namespace polyflake::count {

class AdaptiveStep {
 public:
  struct Limits {
    std::int64_t hold_ms = 30'000;  // how long the store may be away at a steady rate
    std::uint64_t min_step = 100;
    std::uint64_t max_step = 1'000'000;
  };

  // fixed: the step, which then never changes. Errors: option_invalid.
  explicit AdaptiveStep(const Limits& limits, std::optional<std::uint64_t> fixed = std::nullopt);

  std::uint64_t value() const { return step_; }

  // Adapts the step before a fetch. used: the numbers used since the last fetch, elapsed_ms ago.
  void adapt(std::uint64_t used, std::int64_t elapsed_ms);

  // Returns true if so few numbers are held that the next range is fetched ahead of need: half a
  // step, the one that the call takes included. With a step of 1 none is: then numbers are in the
  // order of the calls of all hosts.
  bool is_low(std::uint64_t held) const { return step_ > 1 && 2 * held <= step_; }

 private:
  const Limits limits_;
  const bool fixed_;
  std::uint64_t step_;
};

}  // namespace polyflake::count
