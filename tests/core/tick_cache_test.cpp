// The cached tick against the clock it stands for, also while that clock is stepped: clock_gettime of this
// program adds an offset that the tests move.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "together.hpp"

namespace {

std::atomic<std::int64_t> g_offset_ns{0};

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const long result = ::syscall(SYS_clock_gettime, clock, now);
  if (clock != CLOCK_REALTIME) return static_cast<int>(result);
  const std::int64_t ns = now->tv_sec * 1'000'000'000 + now->tv_nsec + g_offset_ns.load();
  now->tv_sec = ns / 1'000'000'000;
  now->tv_nsec = ns % 1'000'000'000;
  return static_cast<int>(result);
}

namespace polyflake::test {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kHourNs = 3'600'000 * kNsPerMs;

class TickCaches : public testing::Test {
 protected:
  TickCaches() { TickCache::enable(); }
  ~TickCaches() override {
    TickCache::disable();
    g_offset_ns = 0;
  }

  // Reads until the cache is in use; false where this machine has none.
  static bool becomes_active() {
#if POLYFLAKE_HAS_TSC
    for (const std::int64_t begin = SystemClock::read_ms(); SystemClock::read_ms() < begin + 1000;) {
      TickCache::now_ms();
      if (TickCache::active()) return true;
    }
#endif
    return false;
  }
};

// How far a reading lies outside the two readings of the clock around it, in ms.
std::int64_t outside_its_bracket() {
  const std::int64_t before = SystemClock::read_ms();
  const std::int64_t cached = TickCache::now_ms();
  const std::int64_t after = SystemClock::read_ms();
  if (before > after) return 0;  // the clock was stepped in between
  return cached < before ? before - cached : cached > after ? cached - after : 0;
}

TEST_F(TickCaches, read_the_clock_to_the_ms_on_two_threads) {
  ASSERT_EQ(becomes_active(), POLYFLAKE_HAS_TSC != 0);
  const std::size_t readings = scaled(2'000'000);
  const auto worst = together(2, [&](int, Ids& mine) {
    std::int64_t farthest = 0;
    for (std::size_t i = 0; i < readings; ++i) farthest = std::max(farthest, outside_its_bracket());
    mine.push_back(static_cast<std::uint64_t>(farthest));
  });
  EXPECT_LE(std::max(worst[0][0], worst[1][0]), 1U);
  EXPECT_EQ(TickCache::active(), POLYFLAKE_HAS_TSC != 0);
}

TEST_F(TickCaches, see_a_clock_that_steps_within_a_ms) {
  for (const std::int64_t step_ns : {-5 * kNsPerMs, 7 * kNsPerMs, -kHourNs, kHourNs, 1'500 * kNsPerMs}) {
    becomes_active();
    TickCache::now_ms();
    g_offset_ns += step_ns;
    timespec begin, now;
    ::clock_gettime(CLOCK_MONOTONIC, &begin);
    std::int64_t elapsed_ns;
    do {
      ::clock_gettime(CLOCK_MONOTONIC, &now);
      elapsed_ns = (now.tv_sec - begin.tv_sec) * 1'000'000'000 + (now.tv_nsec - begin.tv_nsec);
    } while (elapsed_ns < kNsPerMs);
    EXPECT_LE(outside_its_bracket(), 1) << step_ns;
  }
}

TEST_F(TickCaches, keep_up_with_a_clock_that_is_stepped_all_the_time) {
  std::atomic<bool> done{false};
  std::int64_t largest_late_ms = 0;
  together(2, [&](int thread, Ids&) {
    if (thread == 0) {
      for (std::size_t i = 0; i < scaled(2000); ++i) {
        g_offset_ns += i % 2 == 0 ? 3 * kNsPerMs : -3 * kNsPerMs;
        sleep_ns(300'000);
      }
      done = true;
      return;
    }
    while (!done) largest_late_ms = std::max(largest_late_ms, outside_its_bracket());
  });
  // One ms behind the clock, and the step itself, seen within that ms.
  EXPECT_LE(largest_late_ms, 1 + 3);
}

TEST_F(TickCaches, are_the_plain_clock_when_switched_off) {
  becomes_active();
  TickCache::disable();
  EXPECT_FALSE(TickCache::active());
  g_offset_ns -= kHourNs;
  EXPECT_EQ(outside_its_bracket(), 0);
}

TEST_F(TickCaches, follow_a_clock_that_stands_still) {
  becomes_active();
  for (int i = 0; i < 20; ++i) {  // the clock goes back as fast as time passes
    const std::int64_t before = SystemClock::read_ns();
    sleep_ns(kNsPerMs);
    g_offset_ns -= SystemClock::read_ns() - before;
    EXPECT_LE(outside_its_bracket(), 1);
  }
}

}  // namespace
}  // namespace polyflake::test
