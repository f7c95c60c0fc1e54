#include "kinds/held_clock.hpp"

#include <polyflake/detail/tick_cache.hpp>

#include <algorithm>

#include "base/nanoseconds.hpp"

namespace polyflake {

HeldClock::HeldClock(Clock* real) : real_(real), highest_(read_ms()) {}

std::int64_t HeldClock::read_ms() const { return real_ == nullptr ? TickCache::now_ms() : real_->now_ms(); }

std::int64_t HeldClock::read_uncached_ms() const { return real_ == nullptr ? SystemClock::read_ms() : real_->now_ms(); }

// What is to be held by a clock that is so far behind the highest reading, and held so much for it.
std::int64_t HeldClock::held_where(std::int64_t behind, std::int64_t held) {
  if (behind <= 0) return 0;
  // Set back, maybe again. Or nearly where it would be: then less will do.
  if (behind > held || behind <= held / 2) return behind;
  return std::min(held, behind + kMostRiseMs);
}

std::int64_t HeldClock::now_ms_slowly() const {
  std::int64_t held = held_ms();
  std::int64_t highest = highest_.load(std::memory_order_acquire);
  // After what it is compared with, and not from the cache, which may be a ms behind.
  const std::int64_t real = read_uncached_ms();
  const std::int64_t behind = highest - real;
  if (behind > kLongestMs) return real;
  const std::int64_t due = held_where(behind, held);
  if (due != held) held_.compare_exchange_strong(held, due, std::memory_order_acq_rel);  // another's is as good
  const std::int64_t reading = real + due;
  while (highest < reading && !highest_.compare_exchange_weak(highest, reading, std::memory_order_acq_rel)) {
  }
  return reading;
}

std::int64_t HeldClock::ns_until(std::int64_t unix_ms) const {
  constexpr std::int64_t kHourMs = 3'600'000;  // which clocks say at most
  const std::int64_t left_ms = unix_ms - now_ms();
  if (left_ms <= 0) return 0;
  // To the ns by the real clock, unless that is set back just now; and looking at it in time.
  const std::int64_t held = held_ms(), most_ms = held == 0 ? kHourMs : kMostRiseMs;
  const std::int64_t ns = real_ == nullptr ? SystemClock().ns_until(unix_ms - held) : real_->ns_until(unix_ms - held);
  return std::min(ns, std::min(left_ms, most_ms) * kNsPerMs);
}

bool HeldClock::advance_to(std::int64_t unix_ms) { return real_ != nullptr && real_->advance_to(unix_ms - held_ms()); }

}  // namespace polyflake
