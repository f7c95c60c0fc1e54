#include <polyflake/clock.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <string>

#include "os/os.hpp"

namespace polyflake {
namespace {

// The longest single sleep; callers ask again. Also keeps nanoseconds from overflowing.
constexpr std::int64_t kLongestSleepMs = 3'600'000;

}  // namespace

std::int64_t SystemClock::read_ns() { return platform::clock_ns(); }

std::int64_t sleep_ns(std::int64_t ns) { return platform::sleep_ns(ns); }

std::int64_t SystemClock::ns_until(std::int64_t unix_ms) const {
  const std::int64_t now_ns = read_ns();
  const std::int64_t now_ms = now_ns / 1'000'000;
  if (unix_ms <= now_ms) return 0;
  if (unix_ms - now_ms > kLongestSleepMs) return kLongestSleepMs * 1'000'000;
  return unix_ms * 1'000'000 - now_ns;
}

namespace {

std::int64_t checked(std::int64_t time_ms) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 53;
  if (time_ms >= -kFarthest && time_ms <= kFarthest) return time_ms;
  throw Error(ErrorCode::option_invalid,
              "a manual clock shows Unix ms between -2^53 and 2^53, not " + std::to_string(time_ms));
}

}  // namespace

ManualClock::ManualClock(std::int64_t time_ms) : time_ms_(checked(time_ms)) {}

void ManualClock::set(std::int64_t time_ms) { time_ms_.store(checked(time_ms), std::memory_order_release); }

void ManualClock::advance(std::int64_t ms) {
  checked(ms);
  std::int64_t now = time_ms();
  while (!time_ms_.compare_exchange_weak(now, checked(now + ms))) {
  }
}

std::int64_t ManualClock::ns_until(std::int64_t unix_ms) const {
  const std::int64_t now = time_ms();
  if (unix_ms <= now) return 0;
  return std::min(unix_ms - now, kLongestSleepMs) * 1'000'000;
}

bool ManualClock::advance_to(std::int64_t unix_ms) {
  std::int64_t now = time_ms();
  // Never backwards: another thread may have advanced further meanwhile.
  while (now < unix_ms && !time_ms_.compare_exchange_weak(now, unix_ms)) {
  }
  return true;
}

}  // namespace polyflake
