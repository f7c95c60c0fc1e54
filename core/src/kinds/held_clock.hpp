// A clock that continues if the real one is set back: for ids that need no clock to be unique, but
// should still rise.
#pragma once

#include <polyflake/clock.hpp>

#include <atomic>
#include <cstdint>

namespace polyflake {

// A reading is the real time plus an offset. The offset is 0 until the real clock is seen below an
// earlier reading. Then it is just large enough to keep the readings from falling, until the real
// clock has caught up. If the real clock comes at least half the way at once (a wrong step was
// undone, or no id was asked for), the readings do not move for the rest. While there is an offset,
// no reading is more than a second above the one before, so a clock that jumps to and fro advances
// them by no more each time.
//
// Uses no lock. Regardless of other threads and signal handlers, a reading is the real time
// if no reading was above that. Else it lies between the highest one that this call saw and a
// second above.
class HeldClock final : public Clock {
 public:
  // The longest step back that it holds. After a longer one its readings are the real ones, too far
  // back for any call to wait.
  static constexpr std::int64_t kLongestMs = std::int64_t{24} * 86'400'000;

  // real: null for the system clock; else it must outlive this object.
  explicit HeldClock(Clock* real = nullptr);

  std::int64_t now_ms() const override {
    // An earlier answer may be repeated, even if the offset does not belong to this reading.
    const std::int64_t reading = read_ms() + held_.load(std::memory_order_relaxed);
    const std::int64_t highest = highest_.load(std::memory_order_acquire);
    return reading == highest ? reading : now_ms_slowly();
  }
  // Returns ns; at most kMostRiseMs while there is an offset.
  std::int64_t ns_until(std::int64_t unix_ms) const override;
  bool advance_to(std::int64_t unix_ms) override;

  // Returns the offset in ms.
  std::int64_t held_ms() const { return held_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::int64_t kMostRiseMs = 1000;  // at least a tick of each kind that uses it

  std::int64_t read_ms() const;
  std::int64_t read_uncached_ms() const;
  std::int64_t now_ms_slowly() const;
  static std::int64_t held_where(std::int64_t behind, std::int64_t held);

  Clock* const real_;
  mutable std::atomic<std::int64_t> held_{0};
  mutable std::atomic<std::int64_t> highest_;  // reading
};

}  // namespace polyflake
