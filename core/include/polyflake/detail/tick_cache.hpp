// The cached tick: gives the system clock's millisecond without reading the clock while it lasts.
//
// Reading the clock is most of the cost of an id. A processor whose time stamp counter (TSC) runs
// at one constant rate on all cores has a cheaper way to tell whether the last millisecond is over.
// The cache keeps that millisecond and the TSC value at which it ends; after that it reads the
// clock again. So its time is never more than one millisecond behind the clock, and it notices a
// clock step within one.
//
// It is used only if the kernel itself keeps time by the TSC. The rate is measured, and every
// reading of the clock is checked against it. If they disagree (a step, a migrated virtual
// machine), the plain clock is used until a new measurement holds. Without a TSC this is the plain
// clock.
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
  // Returns Unix time in ms by the system clock, at most one ms old. Lock free. Thread safety: any
  // thread.
  static std::int64_t now_ms() {
#if POLYFLAKE_HAS_TSC
    const Word& word = word_;
    const std::uint64_t span = word.span.load(std::memory_order_relaxed);
    if (span == 0) return SystemClock::read_ms();
    // Acquire: the ms belongs to this end or to a later reading of the clock, which is as good.
    const std::uint64_t end = word.end.load(std::memory_order_acquire);
    const std::int64_t ms = word.ms.load(std::memory_order_relaxed);
    // One comparison: the TSC lies within the ms before `end`. A TSC that jumped, either way, does
    // not.
    return end - __rdtsc() - 1 < span ? ms : read_and_remember();
#else
    return SystemClock::read_ms();
#endif
  }

  // Allows the cache from now on, for a processor with an invariant and synchronised TSC; off at
  // first. Measures the TSC's rate again.
  static void enable() noexcept;
  static void disable() noexcept;

  // Returns true while readings may come from the cache: enabled, and its rate measured.
  static bool active() noexcept;

 private:
  // Together on one cache line, read by every call, written about once a ms.
  struct alignas(64) Word {
    std::atomic<std::uint64_t> span{0};  // TSC counts of one ms; kUnmeasured; 0: the cache is off
    // TSC at which the ms is over; in doubt too early, not too late.
    std::atomic<std::uint64_t> end{0};
    std::atomic<std::int64_t> ms{0};
  };
  // So narrow that every call reads the clock and measures.
  static constexpr std::uint64_t kUnmeasured = 1;
  static std::int64_t read_and_remember();
  static void turn(bool on) noexcept;

  static Word word_;
};

}  // namespace polyflake
