// The bare work of an id: one reading of the time and one compare-and-swap on one word. Whoever looks at the time for
// each id, and gives no two threads the same, does at least this: it is the floor that ids are measured beside.
//
// The time is whatever this processor reads faster: its time stamp counter (TSC) or the system's clock. With
// POLYFLAKE_TICK_CACHE=off it is the clock, which the library then reads too.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace polyflake::bench {

struct ClockTime {
  static constexpr const char* kName = "clock_gettime";
  static std::uint64_t read() {
    std::timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  }
};

#if defined(__x86_64__)
struct CounterTime {
  static constexpr const char* kName = "rdtsc";
  static std::uint64_t read() { return __rdtsc(); }
};
#else
using CounterTime = ClockTime;
#endif

// Returns a number that no other call on this word returns.
template <class Time>
std::uint64_t bare_work(std::atomic<std::uint64_t>& word) {
  const std::uint64_t now = Time::read();
  // Relaxed: the swap publishes, and fails where this was stale.
  std::uint64_t last = word.load(std::memory_order_relaxed), next;
  do {
    next = last < now ? now : last + 1;
  } while (!word.compare_exchange_weak(last, next, std::memory_order_acq_rel, std::memory_order_relaxed));
  return next;
}

template <class Time>
double ns_of_reading() {
  constexpr int kTimes = 2000;
  double least = 1e9;
  for (int round = 0; round < 50; ++round) {
    std::uint64_t sum = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kTimes; ++i) sum += Time::read();
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    [[maybe_unused]] volatile std::uint64_t sink = sum;  // so that nothing is left out
    least = std::min(least, ns / kTimes);
  }
  return least;
}

// Calls use(ClockTime{}) or use(CounterTime{}), whichever is read faster here.
template <class Use>
auto with_the_cheaper_time(Use use) {
  const char* const setting = std::getenv("POLYFLAKE_TICK_CACHE");
  const bool plain = setting != nullptr && std::strcmp(setting, "off") == 0;
  return plain || ns_of_reading<ClockTime>() <= ns_of_reading<CounterTime>() ? use(ClockTime{}) : use(CounterTime{});
}

// Writes first, first + 1, ...: what a batch costs at least, once it is claimed. As wide as this processor writes.
[[gnu::always_inline]] inline void count_up_here(std::uint64_t* words, std::size_t count, std::uint64_t first) {
  for (std::size_t i = 0; i < count; ++i, ++first) words[i] = first;
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] inline void count_up_avx2(std::uint64_t* words, std::size_t count, std::uint64_t first) {
  count_up_here(words, count, first);
}
#endif
inline void count_up(std::uint64_t* words, std::size_t count, std::uint64_t first) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return count_up_avx2(words, count, first);
#endif
  count_up_here(words, count, first);
}

// One word for all who do the bare work of this process.
alignas(64) inline std::atomic<std::uint64_t> shared_word{0};

}  // namespace polyflake::bench
