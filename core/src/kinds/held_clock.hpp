// A clock that goes on where the real one was set back: for ids that need no clock to be unique, and should rise all the same.
#pragma once

#include <polyflake/clock.hpp>

#include <atomic>
#include <cstdint>

#include "issue/turn.hpp"

namespace polyflake {

// Its readings are the real ones and what is held, which is 0 until the real clock is seen below what was read before; then as
// much as keeps the readings from falling, until the real clock has caught up with them. Where it has come half the way or more
// at once, as when a wrong step was undone or no id was asked for, the readings stand still for the rest.
class HeldClock final : public Clock {
 public:
  // Farther back it does not hold: then its readings are the real ones, too far back for any call to wait.
  static constexpr std::int64_t kLongestMs = std::int64_t{24} * 86'400'000;

  // null: the system clock. Else it must outlive this.
  explicit HeldClock(Clock* real = nullptr);

  std::int64_t now_ms() const override {
    // What was answered before may be answered again, whether or not what is held belongs to the reading.
    const std::int64_t reading = read_ms() + held_.load(std::memory_order_relaxed);
    const std::int64_t highest = highest_.load(std::memory_order_acquire);
    return reading == highest ? reading : now_ms_slowly();
  }
  std::int64_t ns_until(std::int64_t unix_ms) const override;
  bool advance_to(std::int64_t unix_ms) override;

  std::int64_t held_ms() const { return held_.load(std::memory_order_relaxed); }

 private:
  std::int64_t read_ms() const;
  std::int64_t read_uncached_ms() const;
  std::int64_t now_ms_slowly() const;
  std::int64_t now_ms_beside_another() const;
  std::int64_t raised_to(std::int64_t reading) const;

  Clock* const real_;
  mutable std::atomic<std::int64_t> held_{0};
  mutable std::atomic<std::int64_t> highest_;  // reading
  mutable Turn turn_;                          // what is held is changed by one call at a time
};

}  // namespace polyflake
