// The cached tick: the system clock's millisecond, without asking the clock while it lasts.
//
// Reading the clock is most of what an id costs. A processor whose time stamp counter (TSC) runs at one
// constant rate on all cores tells more cheaply whether the millisecond read last is over: the cache keeps that
// millisecond and the TSC value at which it ends, and reads the clock again from there on. So what it says is
// never more than one millisecond behind the clock, and a clock that steps is noticed within one.
//
// Only used where the kernel itself keeps time by the TSC. The rate is measured, not believed, and every
// reading of the clock is checked against it; when they disagree (a step, a migrated virtual machine) the plain
// clock is used until a new measurement holds. Without a TSC this is the plain clock.
#pragma once

#include <atomic>
#include <cstdint>

#include <polyflake/clock.hpp>

#if (defined(__x86_64__) || defined(_M_X64)) && !defined(POLYFLAKE_NO_TSC)
#define POLYFLAKE_HAS_TSC 1
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <x86intrin.h>
#endif
#else
#define POLYFLAKE_HAS_TSC 0
#endif

namespace polyflake {

class TickCache {
 public:
  // Unix time in ms by the system clock, at most one ms old. Lock free, any thread.
  static std::int64_t now_ms() {
#if POLYFLAKE_HAS_TSC
    const Word& word = word_;
    const std::uint64_t span = word.span.load(std::memory_order_relaxed);
    if (span == 0) return SystemClock::read_ms();
    // Acquire: the ms belongs to this end or to a later reading of the clock, which is as good.
    const std::uint64_t end = word.end.load(std::memory_order_acquire);
    const std::int64_t ms = word.ms.load(std::memory_order_relaxed);
    // One comparison: the TSC lies within the ms before `end`; one that jumped, either way, does not.
    return end - __rdtsc() - 1 < span ? ms : read_and_remember();
#else
    return SystemClock::read_ms();
#endif
  }

  // Allows the cache from now on, for a processor whose TSC is invariant and synchronised; off at first. Measures the
  // TSC's rate anew.
  static void enable() noexcept;
  static void disable() noexcept;

  // True while readings may come from the cache: enabled, and its rate measured.
  static bool active() noexcept;

 private:
  // Together on one cache line, read by every call, written about once a ms.
  struct alignas(64) Word {
    std::atomic<std::uint64_t> span{0};  // TSC counts of one ms; kUnmeasured; 0: the cache is off
    std::atomic<std::uint64_t> end{0};   // TSC at which the ms is over, rather too early than too late
    std::atomic<std::int64_t> ms{0};
  };
  static constexpr std::uint64_t kUnmeasured = 1;  // so narrow that every call reads the clock, and measures
  static std::int64_t read_and_remember();
  static void turn(bool on) noexcept;

  static Word word_;
};

}  // namespace polyflake
