#include "kinds/held_clock.hpp"

#include <polyflake/detail/tick_cache.hpp>

#include <algorithm>

namespace polyflake {

HeldClock::HeldClock(Clock* real) : real_(real), highest_(read_ms()) {}

std::int64_t HeldClock::read_ms() const { return real_ == nullptr ? TickCache::now_ms() : real_->now_ms(); }

std::int64_t HeldClock::raised_to(std::int64_t reading) const {
  std::int64_t highest = highest_.load(std::memory_order_relaxed);
  while (highest < reading && !highest_.compare_exchange_weak(highest, reading, std::memory_order_acq_rel)) {
  }
  return reading;
}

std::int64_t HeldClock::read_uncached_ms() const { return real_ == nullptr ? SystemClock::read_ms() : real_->now_ms(); }

// Another call is at it, maybe the one that this signal handler interrupted. Where the clock alone is not enough, what was read
// before is late enough: what is held now may not belong to this reading.
std::int64_t HeldClock::now_ms_beside_another() const {
  const std::int64_t highest = highest_.load(std::memory_order_acquire);
  const std::int64_t real = read_uncached_ms();
  return real >= highest ? raised_to(real) : highest;
}

std::int64_t HeldClock::now_ms_slowly() const {
  if (!turn_.try_lock()) return now_ms_beside_another();
  const InTurn turn(turn_, InTurn::Given{});
  const std::int64_t held = held_ms();
  const std::int64_t highest = highest_.load(std::memory_order_acquire);
  // After what it is compared with, and not from the cache, which may be a ms behind.
  const std::int64_t real = read_uncached_ms();
  if (real >= highest) {
    held_.store(0, std::memory_order_release);
    return raised_to(real);
  }
  const std::int64_t behind = highest - real;
  if (behind > kLongestMs) return real;
  // Set back, maybe again. Or nearly where it would be, as when a wrong step was undone: then less will do.
  if (behind > held || behind <= held / 2) {
    held_.store(behind, std::memory_order_release);
    return highest;
  }
  return raised_to(real + held);
}

std::int64_t HeldClock::ns_until(std::int64_t unix_ms) const {
  constexpr std::int64_t kNsPerMs = 1'000'000, kHourMs = 3'600'000;  // which clocks say at most
  const std::int64_t left_ms = unix_ms - now_ms();
  if (left_ms <= 0) return 0;
  // To the ns by the real clock, unless that is set back just now.
  const std::int64_t real_ms = unix_ms - held_ms();
  const std::int64_t ns = real_ == nullptr ? SystemClock().ns_until(real_ms) : real_->ns_until(real_ms);
  return std::min(ns, std::min(left_ms, kHourMs) * kNsPerMs);
}

bool HeldClock::advance_to(std::int64_t unix_ms) { return real_ != nullptr && real_->advance_to(unix_ms - held_ms()); }

}  // namespace polyflake
