#include "steady_use.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace polyflake::count {
namespace {

using namespace by_hand;

constexpr std::int64_t kMinuteMs = 60'000;

struct SteadyRate {
  std::uint64_t numbers_per_s;
  double most_fetches, most_requests;  // in a million numbers
};

class SteadyRates : public testing::TestWithParam<SteadyRate> {};

TEST_P(SteadyRates, need_few_fetches_and_no_call_waits_after_a_minute) {
  SteadyUse use(GetParam().numbers_per_s);
  use.run(kMinuteMs);
  const std::uint64_t calls = use.calls(), waits = use.waits(), fetches = use.fetches(), requests = use.requests();
  use.run(10 * kMinuteMs);
  const double millions = static_cast<double>(use.calls() - calls) / 1e6;
  EXPECT_LE(static_cast<double>(use.fetches() - fetches) / millions, GetParam().most_fetches);
  EXPECT_LE(static_cast<double>(use.requests() - requests) / millions, GetParam().most_requests);
  EXPECT_EQ(use.waits(), waits);
}

INSTANTIATE_TEST_SUITE_P(OfNumbers, SteadyRates,
                         testing::Values(SteadyRate{1000, 17, 50}, SteadyRate{100'000, 1.1, 1.7},
                                         SteadyRate{900'000, 1.1, 1.7}),
                         [](const auto& rate) { return std::to_string(rate.param.numbers_per_s) + "_a_second"; });

// The store goes away at the worst moment, just before a range would be fetched.
class StoreAway : public testing::Test {
 protected:
  StoreAway() {
    use_.run(2 * kMinuteMs);
    waits_ = use_.waits();
    use_.run_until_low();
    use_.be_away(true);
  }

  SteadyUse use_{10'000};
  std::uint64_t waits_;  // before that
};

// A request that was lost is given up and tried again before what is held is used up.
TEST_F(StoreAway, for_as_long_as_hold_ms_says_is_not_noticed_at_ten_thousand_numbers_a_second) {
  use_.run(SteadyUse::kLimits.hold_ms - 2000);
  use_.be_away(false);
  use_.run(kMinuteMs);
  EXPECT_EQ(use_.waits(), waits_);
}

TEST_F(StoreAway, for_longer_lets_calls_wait_only_then_and_numbers_flow_soon_after) {
  use_.run(SteadyUse::kLimits.hold_ms - 1);
  EXPECT_EQ(use_.waits(), waits_);
  use_.run(kMinuteMs);
  EXPECT_GT(use_.waits(), waits_);
  EXPECT_EQ(use_.code(), ErrorCode::store_unavailable);
  use_.be_away(false);
  use_.run(2000);
  EXPECT_EQ(use_.waiting(), 0U);
  EXPECT_EQ(use_.code(), std::nullopt);
}

}  // namespace
}  // namespace polyflake::count
