// Rates: how many ids a token gives, when, and at what a refused request costs. The clock is moved
// by hand.
#include "access/rate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "moved_clock.hpp"
#include "network/run.hpp"
#include "resp/resp.hpp"
#include "served_numbers.hpp"

namespace polyflake::server::test {
namespace {

constexpr std::int64_t kPerSecond = 100;

struct RateTest : testing::Test {
  RateTest() { rate.set(kPerSecond); }

  bool takes(std::uint32_t ids) { return !rate.take(ids); }
  // Returns how many single ids it gives now.
  int single_ids() {
    int count = 0;
    while (takes(1)) ++count;
    return count;
  }

  Rate rate{"billing", read_now_ns};
};

TEST_F(RateTest, one_second_of_ids_comes_at_once_and_then_no_more) {
  EXPECT_EQ(single_ids(), kPerSecond);
  pass_ms(250);
  EXPECT_EQ(single_ids(), kPerSecond / 4);
  pass_ms(1'000'000);
  EXPECT_EQ(single_ids(), kPerSecond) << "what is not taken is not kept";
}

TEST_F(RateTest, over_a_long_time_as_many_come_as_it_says) {
  int count = single_ids();
  for (int i = 0; i < 10'000; ++i) {
    pass_ms(7);
    count += single_ids();
  }
  EXPECT_EQ(count, kPerSecond + kPerSecond * 70);
}

TEST_F(RateTest, a_batch_as_large_as_the_bucket_is_given_if_it_is_full) {
  EXPECT_TRUE(takes(1));
  EXPECT_FALSE(takes(kPerSecond));
  pass_ms(9);
  EXPECT_FALSE(takes(kPerSecond));
  pass_ms(1);
  EXPECT_TRUE(takes(kPerSecond));
  EXPECT_FALSE(takes(1));
}

TEST_F(RateTest, a_batch_that_is_larger_owes) {
  EXPECT_TRUE(takes(5 * kPerSecond));
  pass_ms(4009);
  EXPECT_FALSE(takes(1));
  pass_ms(1);
  EXPECT_TRUE(takes(1));
  pass_ms(999);
  EXPECT_FALSE(takes(5 * kPerSecond)) << "it is not full";
  pass_ms(1);
  EXPECT_TRUE(takes(5 * kPerSecond));
}

TEST_F(RateTest, what_is_given_back_can_be_taken_again) {
  EXPECT_TRUE(takes(60));
  rate.give_back(60);
  EXPECT_EQ(single_ids(), kPerSecond);
  pass_ms(1000);
  rate.give_back(60);
  EXPECT_EQ(single_ids(), kPerSecond) << "but it is never more than full";
}

TEST_F(RateTest, a_refusal_takes_nothing_and_says_when_to_come_again) {
  EXPECT_TRUE(takes(3 * kPerSecond));
  for (const auto& [ids, seconds, ms] : std::vector<std::tuple<std::uint32_t, int, const char*>>{
           {1, 3, " 2010 ms"}, {kPerSecond, 3, " 3000 ms"}, {90'000, 3, " 3000 ms"}}) {
    const auto refusal = rate.take(ids);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->kind, Refusal::Kind::busy);
    EXPECT_EQ(refusal->code, "busy");
    EXPECT_EQ(refusal->retry_after_s, seconds);
    EXPECT_EQ(refusal->message,
              "the token 'billing' may take 100 ids a second, its rate, and has taken them; try "
              "again in" +
                  std::string(ms));
  }
  pass_ms(2010);
  EXPECT_TRUE(takes(1));
}

TEST_F(RateTest, who_comes_again_as_told_is_given_ids) {
  for (const std::int64_t per_second : {1, 3, 7, 1000, 999'983}) {
    rate.set(per_second);
    pass_ms(10'000'000);
    for (const std::uint32_t ids : {1U, 2U, 1000U, 100'000U}) {
      for (int i = 0; i < 20; ++i) {
        const auto refusal = rate.take(ids);
        if (!refusal) continue;
        now_ns += refusal->retry_after_s * 1'000'000'000;
        EXPECT_TRUE(takes(ids)) << per_second << " " << ids;
      }
    }
  }
}

TEST_F(RateTest, a_limit_may_change_or_end) {
  EXPECT_EQ(single_ids(), kPerSecond);
  pass_ms(500);
  rate.set(10 * kPerSecond);  // of which 50 are taken
  EXPECT_EQ(single_ids(), 950);
  rate.set(0);
  EXPECT_FALSE(rate.is_limited());
  EXPECT_TRUE(takes(UINT32_MAX));
  rate.set(kPerSecond);
  EXPECT_FALSE(takes(kPerSecond)) << "a limit that is lifted for a moment gives no new bucket";
  rate.set(INT64_MAX);
  pass_ms(1000);
  EXPECT_TRUE(takes(UINT32_MAX));
}

// --- in a run of requests ------------------------------------------------------------------------

struct RunOfRequestsTest : RateTest {
  RunOfRequestsTest() { numbers.generator("orders", 1); }

  Request request(std::uint32_t ids) {
    Request found = resp.read("POLYFLAKE.NEXT orders " + std::to_string(ids) + "\r\n");
    EXPECT_EQ(found.ids, ids);
    found.rate = &rate;
    return found;
  }

  using Added = server::Run::Added;

  ServedNumbers numbers;
  Resp resp{numbers.service};
  server::Run run;
};

TEST_F(RunOfRequestsTest, a_request_over_the_rate_ends_the_run_before_it) {
  ASSERT_EQ(run.add(resp, request(60)), Added::yes);
  EXPECT_EQ(run.add(resp, request(41)), Added::later);
  EXPECT_EQ(run.replies(), "") << "the reply to the first one comes first";
  EXPECT_EQ(run.wanted(), 60U);
  EXPECT_EQ(run.add(resp, request(40)), Added::yes);
  run.begin();
  EXPECT_EQ(run.add(resp, request(1)), Added::refused);
  EXPECT_TRUE(run.empty());
  EXPECT_EQ(run.replies().substr(0, 16), "-POLYFLAKE busy ");
}

TEST_F(RunOfRequestsTest, a_request_that_is_refused_by_others_costs_nothing) {
  ASSERT_EQ(run.add(resp, request(60)), Added::yes);
  ASSERT_EQ(run.add(resp, request(40)), Added::yes);
  const std::vector<std::uint64_t> ids(70, 1);
  run.give(resp, ids.data(), ids.size());  // all of the first, a part of the second
  run.refuse(resp, busy("the queue is long"));
  EXPECT_EQ(single_ids(), 40);
}

TEST_F(RunOfRequestsTest, a_request_that_is_given_costs_once) {
  ASSERT_EQ(run.add(resp, request(60)), Added::yes);
  const std::vector<std::uint64_t> ids(60, 1);
  run.give(resp, ids.data(), ids.size());
  run.refuse(resp, busy("nothing is left of the run"));
  EXPECT_EQ(single_ids(), 40);
}

}  // namespace
}  // namespace polyflake::server::test
