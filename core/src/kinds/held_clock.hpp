// A clock that goes on where the real one was set back: for ids that need no clock to be unique, and should rise all the same.
#pragma once

#include <polyflake/clock.hpp>

#include <atomic>
#include <cstdint>

namespace polyflake {

// Its readings are the real ones and what is held, which is 0 until the real clock is seen below what was read before; then as
// much as keeps the readings from falling, until the real clock has caught up with them. Where it has come half the way or more
// at once, as when a wrong step was undone or no id was asked for, the readings stand still for the rest; and while anything is
// held no reading is more than a second above the one before, so that a clock that goes to and fro drives them on by no more each time.
// Without a lock: whatever other threads and signal handlers do meanwhile, a reading is the real time where no reading was above
// that, else it lies between the highest one that this call saw and a second above.
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
  // At most kMostRiseMs, in ns, while anything is held.
  std::int64_t ns_until(std::int64_t unix_ms) const override;
  bool advance_to(std::int64_t unix_ms) override;

  std::int64_t held_ms() const { return held_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::int64_t kMostRiseMs = 1000;  // a tick, of all that are held

  std::int64_t read_ms() const;
  std::int64_t read_uncached_ms() const;
  std::int64_t now_ms_slowly() const;
  static std::int64_t held_where(std::int64_t behind, std::int64_t held);

  Clock* const real_;
  mutable std::atomic<std::int64_t> held_{0};
  mutable std::atomic<std::int64_t> highest_;  // reading
};

}  // namespace polyflake
