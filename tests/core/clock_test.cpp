// Clocks: manual ones move only by hand or by waiting; the system clock is Unix time.
#include <polyflake/clock.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "expect_error.hpp"

namespace polyflake {
namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 53;

TEST(ManualClocks, stand_still_until_moved) {
  ManualClock clock(1000);
  EXPECT_EQ(clock.now_ms(), 1000);
  clock.advance(5);
  EXPECT_EQ(clock.time_ms(), 1005);
  clock.advance(-10);
  EXPECT_EQ(clock.time_ms(), 995);
  clock.set(-3);
  EXPECT_EQ(clock.time_ms(), -3);
}

TEST(ManualClocks, waiting_moves_them_forward_and_never_back) {
  ManualClock clock(1000);
  EXPECT_EQ(clock.ns_until(1002), 2'000'000);
  EXPECT_EQ(clock.ns_until(999), 0);
  EXPECT_TRUE(clock.advance_to(1002));
  EXPECT_EQ(clock.time_ms(), 1002);
  EXPECT_TRUE(clock.advance_to(500));
  EXPECT_EQ(clock.time_ms(), 1002);
}

TEST(ManualClocks, have_ends_that_every_language_can_represent) {
  EXPECT_EQ(ManualClock(kFarthest).time_ms(), kFarthest);
  EXPECT_EQ(ManualClock(-kFarthest).time_ms(), -kFarthest);
  EXPECT_ERROR(ManualClock(kFarthest + 1), option_invalid);
  EXPECT_ERROR(ManualClock(INT64_MIN), option_invalid);
  ManualClock clock(kFarthest);
  EXPECT_ERROR(clock.advance(1), option_invalid);
  EXPECT_ERROR(clock.advance(INT64_MIN), option_invalid);
  EXPECT_ERROR(clock.set(INT64_MAX), option_invalid);
  EXPECT_EQ(clock.time_ms(), kFarthest);
}

TEST(SystemClocks, show_unix_time) {
  const auto unix_ms = [] {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  };
  const SystemClock clock;
  const std::int64_t before = unix_ms(), now_ms = clock.now_ms(), read_ms = SystemClock::read_ns() / 1'000'000;
  const std::int64_t after = unix_ms();
  for (const std::int64_t ms : {now_ms, read_ms}) {
    EXPECT_GE(ms, before - 1000);
    EXPECT_LE(ms, after + 1000);
  }
  EXPECT_FALSE(SystemClock().advance_to(now_ms + 1));
  EXPECT_EQ(clock.ns_until(now_ms - 5000), 0);
}

TEST(SystemClocks, name_waits_of_at_most_an_hour) {
  constexpr std::int64_t kHourNs = 3'600'000'000'000;
  EXPECT_EQ(SystemClock().ns_until(INT64_MAX), kHourNs);
  EXPECT_EQ(ManualClock(0).ns_until(kFarthest), kHourNs);
}

}  // namespace
}  // namespace polyflake
