#include <polyflake/clock.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <string>

#if defined(_WIN32)
#define NOMINMAX
#include <windows.h>
#include <chrono>
#include <thread>
#endif

namespace polyflake {
namespace {

// Nobody sleeps longer in one piece; callers ask again. Also keeps nanoseconds from overflowing.
constexpr std::int64_t kLongestSleepMs = 3'600'000;

}  // namespace

#if defined(_WIN32)

std::int64_t SystemClock::read_ns() {
  FILETIME now;
  GetSystemTimePreciseAsFileTime(&now);
  const std::int64_t hundred_ns = static_cast<std::int64_t>(now.dwHighDateTime) << 32 | now.dwLowDateTime;
  constexpr std::int64_t kFrom1601To1970 = 116'444'736'000'000'000;
  return (hundred_ns - kFrom1601To1970) * 100;
}

std::int64_t sleep_ns(std::int64_t ns) {
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
  return ns;
}

#else

std::int64_t SystemClock::read_ns() {
  std::timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// Relative, not absolute: a wall clock that is set back while we sleep must not prolong the sleep.
std::int64_t sleep_ns(std::int64_t ns) {
  std::timespec duration, left;
  duration.tv_sec = static_cast<std::time_t>(ns / 1'000'000'000);
  duration.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  if (::nanosleep(&duration, &left) == 0) return ns;
  return ns - (static_cast<std::int64_t>(left.tv_sec) * 1'000'000'000 + left.tv_nsec);
}

#endif

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
  // Never backwards: another waiter may have gone further meanwhile.
  while (now < unix_ms && !time_ms_.compare_exchange_weak(now, unix_ms)) {
  }
  return true;
}

}  // namespace polyflake
