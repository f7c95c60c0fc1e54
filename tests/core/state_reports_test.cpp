// The lines that an application's log gets of a lease: one for each state that lasts.
#include "lease/state_reports.hpp"

#include <gtest/gtest.h>

namespace polyflake::lease {
namespace {

constexpr std::int64_t kPause = StateReports::kPauseMs;

class Reports : public testing::Test {
 protected:
  Reports() { status.confirmations = 1; }

  // "fault TEXT", "TEXT", or "" for no line.
  std::string at(std::int64_t mono_ms) {
    const auto line = reports.next(status, {wall_ahead_ms + mono_ms, mono_ms});
    return line ? (line->is_fault ? "fault " : "") + line->text : "";
  }
  void fail(const char* why) {
    status.set_failure({ErrorCode::store_unavailable, std::string("redis://h: ") + why});
    status.set_failing(true);
  }

  LeaseStatus status{"redis://h", 1000};
  std::int64_t wall_ahead_ms = 1'700'000'000'000;
  StateReports reports;
};

TEST_F(Reports, tell_each_change_once) {
  EXPECT_EQ(at(0), "") << "renewed, as is expected";
  fail("refused");
  EXPECT_EQ(at(1), "fault redis://h: refused. Ids go on until the window ends");
  fail("refused again");
  EXPECT_EQ(at(kPause + 1), "");
  status.set_failing(false);
  EXPECT_EQ(at(kPause + 2), "redis://h: the store confirms windows again");
  EXPECT_EQ(at(3 * kPause), "");
}

TEST_F(Reports, tell_a_loss) {
  status.set_failure({ErrorCode::lease_lost, "node id 7 of redis://h is lost"});
  status.ended = true;
  EXPECT_EQ(at(0), "fault node id 7 of redis://h is lost");
  status.ended = false;
  EXPECT_EQ(at(kPause), "redis://h: the store confirms windows again");
}

TEST_F(Reports, are_rare_if_a_store_comes_and_goes_but_tell_the_state_that_lasts) {
  int lines = 0;
  for (std::int64_t ms = 0; ms < 10 * kPause; ms += 50) {
    ms / 50 % 2 == 0 ? fail("refused") : status.set_failing(false);
    lines += at(ms).empty() ? 0 : 1;
  }
  EXPECT_LE(lines, 10);
  status.set_failing(false);
  const std::string now = at(10 * kPause), later = at(11 * kPause);
  EXPECT_EQ(at(12 * kPause), "");
  fail("refused");
  EXPECT_NE(at(13 * kPause), "") << "else the last line before was not that it is renewed: " << now << later;
}

TEST_F(Reports, tell_a_step_back_of_the_clock_once_two_readings_agree) {
  const std::int64_t begin_ms = wall_ahead_ms;
  EXPECT_EQ(at(0), "");
  wall_ahead_ms = begin_ms - 5000;  // the thread was suspended between the two clocks
  EXPECT_EQ(at(1), "");
  wall_ahead_ms = begin_ms;
  EXPECT_EQ(at(2), "");
  wall_ahead_ms = begin_ms - 3'600'000;
  EXPECT_EQ(at(3), "");
  EXPECT_EQ(at(4), "fault redis://h: the clock of this host went back by 3600000 ms");
  EXPECT_EQ(at(5), "");
  wall_ahead_ms = begin_ms;
  EXPECT_EQ(at(kPause + 4), "") << "ahead, as after a sleep of the host";
  wall_ahead_ms = begin_ms - StateReports::kStepMs + 1;
  EXPECT_EQ(at(kPause + 5) + at(kPause + 6), "");
  wall_ahead_ms = begin_ms - 2 * StateReports::kStepMs;
  EXPECT_EQ(at(kPause + 7), "");
  fail("refused");
  EXPECT_NE(at(kPause + 8), "");
  EXPECT_EQ(at(2 * kPause), "") << "the pause is not over";
  EXPECT_EQ(at(2 * kPause + 8), "fault redis://h: the clock of this host went back by 101 ms");
}

TEST_F(Reports, of_an_opening_that_fails_are_its_errors) {
  status.confirmations = 0;
  fail("refused");
  EXPECT_EQ(at(0), "");
}

}  // namespace
}  // namespace polyflake::lease
