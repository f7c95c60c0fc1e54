// A process that uses numbers at a steady rate, in made-up time: how often it asks its store, and
// whether a call has to wait.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "count/supply.hpp"
#include "counter_by_hand.hpp"

namespace polyflake::count {
namespace {

using namespace by_hand;

constexpr std::int64_t kReplyMs = 20;     // of the store
constexpr std::int64_t kAnswerMs = 1000;  // the longest wait for a reply
constexpr std::int64_t kMinuteMs = 60'000;
constexpr AdaptiveStep::Limits kLimits;

class SteadyUse {
 public:
  explicit SteadyUse(std::uint64_t numbers_per_s) : numbers_per_s_(numbers_per_s) {}

  void run(std::int64_t ms) {
    for (const std::int64_t end_ms = store_.now_ms + ms; store_.now_ms < end_ms;) run_ms();
  }

  // Runs until the next ms would ask for a range.
  void run_until_low() {
    const std::uint64_t of_a_ms = numbers_per_s_ / 1000;
    while (2 * (supply_.held() - of_a_ms) > supply_.step()) run_ms();
  }

  void be_away(bool away) { away_ = away; }

  std::uint64_t calls() const { return calls_; }
  std::uint64_t waits() const { return waits_; }  // calls that found nothing held
  std::uint64_t waiting() const { return waiting_; }
  std::uint64_t fetches() const { return supply_.fetches(); }
  std::uint64_t requests() const { return requests_; }  // fetches, looks at the counter, and top-ups
  std::optional<ErrorCode> code() const { return process_.code(); }

 private:
  void run_ms() {
    ++store_.now_ms;
    answer();
    due_ += numbers_per_s_;
    call(due_ / 1000);
    due_ %= 1000;
    if (const auto step = supply_.due_step(waiting_, store_.now_ms)) process_.machine.take(*step, waiting_);
    ask();
  }

  void call(std::uint64_t count) {
    calls_ += count;
    const std::uint64_t left = take(waiting_ + count);
    if (left > waiting_) waits_ += left - waiting_;
    waiting_ = left;
  }

  // Returns how many numbers were not there.
  std::uint64_t take(std::uint64_t count) {
    do {
      while (const std::uint64_t taken = supply_.word().take_some(count).count) count -= taken;
    } while (count > 0 && supply_.serve());
    return count;
  }

  // Sends what the machine wants to do, unless it awaits a reply.
  void ask() {
    while (!asked_) {
      Action action = process_.machine.poll(process_.time());
      if (action.kind == Action::Kind::sleep) return;
      if (action.kind == Action::Kind::granted) {
        supply_.add(action.numbers);
      } else {
        ++requests_;
        asked_ = std::move(action);
        reply_at_ms_ = store_.now_ms + (away_ ? kAnswerMs : kReplyMs);
      }
    }
  }

  void answer() {
    if (!asked_ || store_.now_ms < reply_at_ms_) return;
    const Action action = *std::exchange(asked_, std::nullopt);
    process_.cut_off = away_;
    if (away_) process_.machine.deliver_nothing(action.number, "no answer", process_.time());
    else if (action.kind == Action::Kind::read)
      process_.machine.deliver(action.number, store_.contents(), process_.time());
    else if (action.kind == Action::Kind::add) process_.carry_out(action.number, action.add);
    else process_.carry_out(action.number, action.head);
    ask();
  }

  const std::uint64_t numbers_per_s_;
  FakeStore store_;
  Process process_{store_};
  Supply supply_{AdaptiveStep(kLimits), kBeginMs};
  std::optional<Action> asked_;
  std::int64_t reply_at_ms_ = 0;
  bool away_ = false;
  std::uint64_t due_ = 0;  // in thousandths of a number
  std::uint64_t calls_ = 0, waits_ = 0, waiting_ = 0, requests_ = 0;
};

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
  use_.run(kLimits.hold_ms - 2000);
  use_.be_away(false);
  use_.run(kMinuteMs);
  EXPECT_EQ(use_.waits(), waits_);
}

TEST_F(StoreAway, for_longer_lets_calls_wait_only_then_and_numbers_flow_soon_after) {
  use_.run(kLimits.hold_ms - 1);
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
