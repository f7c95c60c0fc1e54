#include "kinds/held_clock.hpp"

#include <polyflake/detail/tick_cache.hpp>

#include <algorithm>

#include "base/nanoseconds.hpp"

namespace polyflake {

HeldClock::HeldClock(Clock* real) : real_(real), highest_(read_ms()) {}

std::int64_t HeldClock::read_ms() const { return real_ == nullptr ? TickCache::now_ms() : real_->now_ms(); }

std::int64_t HeldClock::read_uncached_ms() const { return real_ == nullptr ? SystemClock::read_ms() : real_->now_ms(); }

// Returns the offset for a clock that is `behind` the highest reading and has the offset `held` so
// far.
std::int64_t HeldClock::held_where(std::int64_t behind, std::int64_t held) {
  if (behind <= 0) return 0;
  // Set back, maybe again. Or at least half recovered: then a smaller offset is enough.
  if (behind > held || behind <= held / 2) return behind;
  return std::min(held, behind + kMostRiseMs);
}

std::int64_t HeldClock::now_ms_slowly() const {
  std::int64_t held = held_ms();
  std::int64_t highest = highest_.load(std::memory_order_acquire);
  // Read after the value it is compared with, and not from the cache, which may be a ms behind.
  const std::int64_t real = read_uncached_ms();
  const std::int64_t behind = highest - real;
  if (behind > kLongestMs) return real;
  const std::int64_t due = held_where(behind, held);
  // If another call was first, its offset is as good.
  if (due != held) held_.compare_exchange_strong(held, due, std::memory_order_acq_rel);
  const std::int64_t reading = real + due;
  while (highest < reading && !highest_.compare_exchange_weak(highest, reading, std::memory_order_acq_rel)) {
  }
  return reading;
}

std::int64_t HeldClock::ns_until(std::int64_t unix_ms) const {
  constexpr std::int64_t kHourMs = 3'600'000;  // the longest wait that clocks report
  const std::int64_t left_ms = unix_ms - now_ms();
  if (left_ms <= 0) return 0;
  // Exact to the ns by the real clock, unless that is set back right now. Capped, so that callers
  // look again in time.
  const std::int64_t held = held_ms(), most_ms = held == 0 ? kHourMs : kMostRiseMs;
  const std::int64_t ns = real_ == nullptr ? SystemClock().ns_until(unix_ms - held) : real_->ns_until(unix_ms - held);
  return std::min(ns, std::min(left_ms, most_ms) * kNsPerMs);
}

bool HeldClock::advance_to(std::int64_t unix_ms) { return real_ != nullptr && real_->advance_to(unix_ms - held_ms()); }

}  // namespace polyflake
