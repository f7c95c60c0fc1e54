// Clocks: all reading of time and all waiting happens here.
//
// A generator reads Unix time, in milliseconds, from the system clock or from a ManualClock that a
// test moves by hand. Both may go backwards; generators handle that.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>

namespace polyflake {

class Clock {
 public:
  virtual ~Clock() = default;

  // Returns Unix time in ms.
  virtual std::int64_t now_ms() const = 0;

  // Returns roughly how many nanoseconds until now_ms() reaches unix_ms, at most an hour; 0 if it
  // has.
  virtual std::int64_t ns_until(std::int64_t unix_ms) const = 0;

  // Moves a manual clock forward to unix_ms and returns true. Returns false for a clock that only
  // time moves.
  virtual bool advance_to(std::int64_t unix_ms) = 0;
};

// The real-time clock of the operating system (CLOCK_REALTIME). Thread safety: any thread. Never
// blocks.
class SystemClock final : public Clock {
 public:
  static std::int64_t read_ms() {
#if defined(_WIN32)
    return read_ns() / 1'000'000;
#else
    std::timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);  // cannot fail: clock and pointer are valid
    // Unsigned and narrow, which divides faster; every id waits for this.
    return static_cast<std::int64_t>(now.tv_sec) * 1000 + static_cast<std::uint32_t>(now.tv_nsec) / 1'000'000;
#endif
  }
  static std::int64_t read_ns();

  std::int64_t now_ms() const override { return read_ms(); }
  std::int64_t ns_until(std::int64_t unix_ms) const override;
  bool advance_to(std::int64_t) override { return false; }
};

// A clock for tests: moves only by hand or when a generator waits on it. Thread safety: any thread.
class ManualClock final : public Clock {
 public:
  // Takes Unix ms between -2^53 and 2^53. Errors (also of set and advance): option_invalid beyond.
  explicit ManualClock(std::int64_t time_ms);
  void set(std::int64_t time_ms);
  void advance(std::int64_t ms);

  std::int64_t time_ms() const { return time_ms_.load(std::memory_order_acquire); }

  std::int64_t now_ms() const override { return time_ms(); }
  std::int64_t ns_until(std::int64_t unix_ms) const override;
  bool advance_to(std::int64_t unix_ms) override;

 private:
  std::atomic<std::int64_t> time_ms_;
};

// Sleeps for about this time, or less if a signal is delivered. Returns the time slept.
std::int64_t sleep_ns(std::int64_t ns);

}  // namespace polyflake
