#include "count/adaptive_step.hpp"

#include <algorithm>

#include "base/range_check.hpp"
#include "count/ceiling.hpp"

namespace polyflake::count {
namespace {

constexpr std::uint64_t kGreatestStep = std::uint64_t{1} << 40;
constexpr std::int64_t kLongestMs = INT32_MAX;

}  // namespace

AdaptiveStep::AdaptiveStep(const Limits& limits, std::optional<std::uint64_t> fixed)
    : limits_(limits), fixed_(fixed.has_value()), step_(fixed.value_or(limits.min_step)) {
  in_range<std::uint64_t>("min_step", limits_.min_step, 1, kGreatestStep);
  in_range<std::uint64_t>("max_step", limits_.max_step, limits_.min_step, kGreatestStep);
  in_range<std::uint64_t>("step", step_, 1, kGreatestStep);
  in_range<std::int64_t>("hold_ms", limits_.hold_ms, 1, kLongestMs);
}

void AdaptiveStep::adapt(std::uint64_t used, std::int64_t elapsed_ms) {
  if (fixed_) return;
  constexpr std::uint64_t kMostRise = 8;
  // Twice what a hold takes: half of it is left when the next range is fetched.
  const Wide due = Wide{used} * 2 * limits_.hold_ms / std::max<std::int64_t>(elapsed_ms, 1);
  const std::uint64_t least = std::max(limits_.min_step, step_ / 2);
  const std::uint64_t most = std::min(limits_.max_step, kMostRise * step_);
  step_ = static_cast<std::uint64_t>(std::clamp(due, Wide{least}, Wide{most}));
}

}  // namespace polyflake::count
