// Snowflake as it is written again and again: a mutex, the last millisecond, a sequence. Our baseline, not
// somebody's library. Bits as in the layout "polyflake", or with another width of sequence.
//
// glibc's mutexes take no lock while a process has one thread only; main.cpp sees to it that there are two.
#pragma once

#include <polyflake/clock.hpp>

#include <cstdint>
#include <mutex>
#include <stdexcept>

namespace polyflake::bench {

class Textbook {
 public:
  static constexpr const char* kName = "textbook with a mutex";
  static constexpr const char* kPrice =
      "spins while it waits; repeats ids after a fork, or a restart with the clock set back";

  explicit Textbook(unsigned sequence_bits = 12, unsigned node_bits = 10)
      : sequence_bits_(sequence_bits), timestamp_shift_(sequence_bits + node_bits) {}

  std::uint64_t next_id() {
    const std::lock_guard lock(mutex_);
    std::int64_t now_ms = SystemClock::read_ms();
    if (now_ms < last_ms_) throw std::runtime_error("the clock stepped back");
    if (now_ms == last_ms_) {
      sequence_ = (sequence_ + 1) & ((std::uint64_t{1} << sequence_bits_) - 1);
      if (sequence_ == 0) {
        while (now_ms <= last_ms_) now_ms = SystemClock::read_ms();
      }
    } else {
      sequence_ = 0;
    }
    last_ms_ = now_ms;
    constexpr std::int64_t kEpochMs = 1'577'836'800'000;  // 2020-01-01
    return static_cast<std::uint64_t>(now_ms - kEpochMs) << timestamp_shift_ | kNode << sequence_bits_ | sequence_;
  }

 private:
  static constexpr std::uint64_t kNode = 0;

  const unsigned sequence_bits_, timestamp_shift_;
  std::mutex mutex_;
  std::int64_t last_ms_ = -1;
  std::uint64_t sequence_ = 0;
};

}  // namespace polyflake::bench
