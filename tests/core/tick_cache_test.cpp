// The cached tick against the clock whose ticks it keeps, also while that clock is stepped: the wall clock of this
// program is the monotonic clock and an offset that the tests move, so the machine's own is never set here.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "copies.hpp"
#include "together.hpp"

namespace {

constexpr std::int64_t kBeginNs = 1'790'000'000'000'000'000;  // the wall clock when the monotonic one is at 0
std::atomic<std::int64_t> g_offset_ns{0};

// The clock gains one in this many ns from then on; 0: none.
std::atomic<std::int64_t> g_gains_one_in{0}, g_gains_since_ns{0};

std::int64_t gained_ns(std::int64_t ns) {
  const std::int64_t one_in = g_gains_one_in.load();
  return one_in == 0 ? 0 : (ns - g_gains_since_ns.load()) / one_in;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const bool is_wall_clock = clock == CLOCK_REALTIME;
  const long result = ::syscall(SYS_clock_gettime, is_wall_clock ? CLOCK_MONOTONIC : clock, now);
  if (!is_wall_clock) return static_cast<int>(result);
  const std::int64_t passed_ns = now->tv_sec * 1'000'000'000 + now->tv_nsec;
  const std::int64_t ns = kBeginNs + passed_ns + gained_ns(passed_ns) + g_offset_ns.load();
  now->tv_sec = ns / 1'000'000'000;
  now->tv_nsec = ns % 1'000'000'000;
  return static_cast<int>(result);
}

namespace polyflake::test {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kHourNs = 3'600'000 * kNsPerMs;
constexpr unsigned kSecondsToHang = 30;

std::int64_t monotonic_ns() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void spin_until(std::int64_t monotonic) {
  while (monotonic_ns() < monotonic) {
  }
}

class TickCaches : public testing::Test {
 protected:
  TickCaches() { TickCache::enable(); }
  ~TickCaches() override {
    TickCache::disable();
    g_offset_ns = 0;
  }

  // Measures anew; whether the cache is then in use.
  static bool active_again() {
    TickCache::disable();
    TickCache::enable();
    return becomes_active();
  }

  // Reads until the cache is in use; false where this machine has none.
  static bool becomes_active() {
#if POLYFLAKE_HAS_TSC
    for (const std::int64_t begin = monotonic_ns(); monotonic_ns() - begin < kSecondsToHang * 1000 * kNsPerMs;) {
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
  std::atomic<std::size_t> cached{0};
  const auto worst = together(2, [&](int, Ids& mine) {
    std::int64_t farthest = 0;
    std::size_t mine_cached = 0;
    for (std::size_t i = 0; i < readings; ++i) {
      mine_cached += TickCache::active();
      farthest = std::max(farthest, outside_its_bracket());
    }
    cached += mine_cached;
    mine.push_back(static_cast<std::uint64_t>(farthest));
  });
  EXPECT_LE(std::max(worst[0][0], worst[1][0]), 1U);
  // Not all: a virtual machine that is moved may see its two clocks disagree once.
  EXPECT_GE(cached, POLYFLAKE_HAS_TSC != 0 ? readings : 0U);
}

TEST_F(TickCaches, see_a_clock_that_steps_within_a_ms) {
  for (const std::int64_t step_ns : {-5 * kNsPerMs, 7 * kNsPerMs, -kHourNs, kHourNs, 1'500 * kNsPerMs}) {
    ASSERT_EQ(active_again(), POLYFLAKE_HAS_TSC != 0);
    g_offset_ns += step_ns;
    spin_until(monotonic_ns() + kNsPerMs);
    EXPECT_LE(outside_its_bracket(), 1) << step_ns;
  }
}

TEST_F(TickCaches, are_right_a_ms_after_every_step_of_the_clock) {
  constexpr std::int64_t kStepping = INT64_MAX;
  std::atomic<std::int64_t> stepped_at{monotonic_ns()};
  std::atomic<bool> done{false};
  const auto step = [&](std::int64_t by_ns) {
    stepped_at = kStepping;
    g_offset_ns += by_ns;
    stepped_at = monotonic_ns();
  };
  const auto step_again_and_again = [&] {
    for (std::size_t round = 0; round < scaled(40); ++round) {
      for (const std::int64_t by_ms : {3, -60'000, 60'000, -3}) {
        // Forgets what it measured: after every disagreement it measures for twice as long, without the cache.
        EXPECT_EQ(active_again(), POLYFLAKE_HAS_TSC != 0);
        sleep_ns(300'000 + static_cast<std::int64_t>(round) * 37'000);  // at any place of a ms
        step(by_ms * kNsPerMs);
        sleep_ns(5 * kNsPerMs);
      }
    }
    done = true;
  };
  std::atomic<std::uint64_t> cached{0}, late{0};
  const auto read = [&] {
    while (!done) {
      const std::int64_t former_step = stepped_at;
      const std::int64_t begin = monotonic_ns();
      const bool active = TickCache::active();
      const std::int64_t outside = outside_its_bracket();
      if (former_step == kStepping || stepped_at != former_step || begin - former_step < kNsPerMs) continue;
      cached += active;
      late += active && outside > 1;
    }
  };
  together(3, [&](int thread, Ids&) { thread == 0 ? step_again_and_again() : read(); });
  std::printf("%llu readings with the cache in use, %llu late\n", static_cast<unsigned long long>(cached),
              static_cast<unsigned long long>(late));
  EXPECT_EQ(late, 0U);
  EXPECT_GT(cached, POLYFLAKE_HAS_TSC != 0 ? 1000U : 0U);
}

TEST_F(TickCaches, are_measured_again_where_the_clock_was_set_meanwhile) {
  for (const std::int64_t step_ns : {25 * kHourNs, -25 * kHourNs}) {
    TickCache::disable();
    TickCache::enable();
    TickCache::now_ms();  // the measurement begins
    g_offset_ns += step_ns;
    EXPECT_EQ(becomes_active(), POLYFLAKE_HAS_TSC != 0);
    EXPECT_LE(outside_its_bracket(), 1) << step_ns;
  }
}

// Nobody reads while the clock is set: what is measured then looks like a slow clock.
TEST_F(TickCaches, do_not_believe_a_rate_that_was_measured_while_the_clock_was_set) {
  if (POLYFLAKE_HAS_TSC == 0) return;
  for (std::size_t round = 0; round < scaled(20); ++round) {
    TickCache::disable();
    TickCache::enable();
    while (SystemClock::read_ns() % kNsPerMs > kNsPerMs / 20) {
    }
    TickCache::now_ms();  // the measurement begins with a ms, so it ends with the start of one
    spin_until(monotonic_ns() + 35 * kNsPerMs / 10);
    g_offset_ns -= 3 * kNsPerMs;
    ASSERT_TRUE(becomes_active());
    std::int64_t farthest = 0;
    for (const std::int64_t begin = monotonic_ns(); monotonic_ns() - begin < 3 * kNsPerMs;)
      farthest = std::max(farthest, outside_its_bracket());
    EXPECT_LE(farthest, 1) << "round " << round;
  }
}

// A rate that is off by less than is noticed must not keep a ms for longer than it lasts.
TEST_F(TickCaches, end_a_ms_no_later_than_a_clock_does_that_gains_on_the_measured_rate) {
  if (POLYFLAKE_HAS_TSC == 0) return;
  constexpr std::int64_t kUnnoticed = 300;  // one ns in so many; from 256 on it is noticed
  std::int64_t fewest = INT64_MAX;
  for (int measurement = 0; measurement < 8; ++measurement) {  // one that was disturbed is off by itself
    ASSERT_TRUE(active_again());
    g_gains_since_ns = monotonic_ns();
    g_gains_one_in = kUnnoticed;
    std::int64_t late = 0;
    for (const std::int64_t begin = monotonic_ns(); monotonic_ns() - begin < 50 * kNsPerMs;) {
      const std::int64_t before = SystemClock::read_ms();
      late += TickCache::now_ms() < before;
    }
    EXPECT_TRUE(TickCache::active()) << "it was noticed: the test is void";
    g_gains_one_in = 0;
    fewest = std::min(fewest, late);
  }
  EXPECT_EQ(fewest, 0);
}

// The time from a step of the clock that is noticed to the next use of the cache.
std::int64_t measured_anew_ns() {
  g_offset_ns += kHourNs;
  while (TickCache::active()) TickCache::now_ms();
  const std::int64_t begin = monotonic_ns();
  while (!TickCache::active()) TickCache::now_ms();
  return monotonic_ns() - begin;
}

TEST_F(TickCaches, are_measured_for_longer_after_steps_and_for_shorter_again_after_quiet) {
  if (POLYFLAKE_HAS_TSC == 0) return;
  ASSERT_TRUE(active_again());
  for (const std::int64_t least_ms : {8, 16, 32}) EXPECT_GE(measured_anew_ns(), least_ms * kNsPerMs * 3 / 4);
  bool is_shorter = false;  // a pause of this process makes a measurement longer
  for (int tries = 0; tries < 10 && !is_shorter; ++tries) {
    for (const std::int64_t begin = monotonic_ns(); monotonic_ns() - begin < 2'000 * kNsPerMs;) TickCache::now_ms();
    is_shorter = measured_anew_ns() < 56 * kNsPerMs;
  }
  EXPECT_TRUE(is_shorter) << "it would be 64 ms";
}

// In a copy: an alarm ends what spins.
[[noreturn]] void exit_when_active_again() {
  ::alarm(kSecondsToHang);
  TickCache::disable();
  TickCache::enable();
  while (!TickCache::active()) TickCache::now_ms();
  ::_exit(0);
}

TEST_F(TickCaches, are_switched_and_measured_in_copies_made_while_another_thread_measured) {
  if (POLYFLAKE_HAS_TSC == 0) return;
  std::atomic<bool> done{false};
  const auto measure = [&] {
    while (!done) active_again();
  };
  const auto copy = [&] {
    for (std::size_t round = 0; round < scaled(200) && !HasFailure(); ++round) {
      const pid_t child = plain_fork();
      if (child == 0) exit_when_active_again();
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0) << "copy " << round;
    }
    done = true;
  };
  together(2, [&](int thread, Ids&) { thread == 0 ? measure() : copy(); });
}

TEST_F(TickCaches, are_the_plain_clock_when_switched_off) {
  ASSERT_EQ(becomes_active(), POLYFLAKE_HAS_TSC != 0);
  TickCache::disable();
  EXPECT_FALSE(TickCache::active());
  g_offset_ns -= kHourNs;
  EXPECT_EQ(outside_its_bracket(), 0);
}

TEST_F(TickCaches, follow_a_clock_that_stands_still) {
  ASSERT_EQ(becomes_active(), POLYFLAKE_HAS_TSC != 0);
  for (int i = 0; i < 20; ++i) {  // the clock goes back as fast as time passes
    const std::int64_t before = SystemClock::read_ns();
    sleep_ns(kNsPerMs);
    g_offset_ns -= SystemClock::read_ns() - before;
    EXPECT_LE(outside_its_bracket(), 1);
  }
}

}  // namespace
}  // namespace polyflake::test
