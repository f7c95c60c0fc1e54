// Callers that wait for numbers of one counter, and the ranges that are fetched for them; each thing
// that a runner does is done by hand.
#include "open/held_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counter_by_hand.hpp"

namespace polyflake::count {
namespace {

using namespace by_hand;

CounterUse one_at_a_time(const FakeStore& store) {
  CounterUse use;
  use.options.name = "orders";
  use.options.step = 1;
  use.shape = shape_of(store.record->head);
  return use;
}

class Callers : public testing::Test {
 protected:
  Callers() {
    const Action read = held_.next();
    EXPECT_EQ(read.kind, Action::Kind::read);
    held_.deliver(read.number, store_.contents());
  }

  // So many more begin to wait.
  void wait(int count) {
    for (int i = 0; i < count; ++i) EXPECT_FALSE(held_.take_or_note(waiting_.emplace_back()));
  }

  // Each caller that waits looks for a number. Returns how many got one.
  std::size_t look() {
    const auto is_served = [this](WaitingCall& one) { return held_.take_or_note(one).has_value(); };
    const auto rest = std::remove_if(waiting_.begin(), waiting_.end(), is_served);
    const auto served = static_cast<std::size_t>(waiting_.end() - rest);
    waiting_.erase(rest, waiting_.end());
    return served;
  }

  // Calls that never waited take so many.
  void overtake(std::uint64_t count) {
    ASSERT_TRUE(held_.serve());
    EXPECT_EQ(held_.word().take_some(count).count, count);
  }

  // Returns how many numbers the runner asks for now; 0 if it asks for none.
  std::uint64_t ask() {
    asked_ = held_.next();
    return asked_.kind == Action::Kind::add ? asked_.add.n : 0;
  }
  void answer() { held_.deliver(asked_.number, count::step(store_.record, asked_.add, store_.present())); }

  FakeStore store_ = made_now();
  HeldNumbers held_{one_at_a_time(store_)};
  std::vector<WaitingCall> waiting_;
  Action asked_;

 private:
  // With this host's clock, which the counter compares with the store's.
  static FakeStore made_now() {
    FakeStore store;
    store.now_ms = lease::system_time().wall_ms;
    store.set(head_of(segment(), 0), 0);
    return store;
  }
};

TEST_F(Callers, that_came_while_a_request_was_under_way_share_the_next_one) {
  wait(1);
  EXPECT_EQ(ask(), 1U);
  wait(9);
  answer();
  EXPECT_EQ(ask(), 9U);
  EXPECT_EQ(look(), 1U);
  answer();
  EXPECT_EQ(look(), 9U);
  EXPECT_EQ(ask(), 0U) << "none waits";
  EXPECT_EQ(held_.stats().held, 0U);
}

TEST_F(Callers, whose_numbers_others_took_are_fetched_as_many_again) {
  wait(8);
  EXPECT_EQ(ask(), 8U);
  answer();
  overtake(5);
  EXPECT_EQ(look(), 3U);
  EXPECT_EQ(ask(), 5U);
  answer();
  EXPECT_EQ(look(), 5U);
  EXPECT_EQ(ask(), 0U);
}

TEST_F(Callers, that_give_up_are_fetched_nothing) {
  wait(1);
  EXPECT_EQ(ask(), 1U);
  wait(4);
  held_.forget(waiting_.back());
  waiting_.pop_back();
  answer();
  EXPECT_EQ(ask(), 3U);
  answer();
  EXPECT_EQ(look(), 4U);
  EXPECT_EQ(held_.stats().held, 0U);
}

TEST_F(Callers, that_are_refused_one_after_the_other_leave_no_wish) {
  wait(3);
  EXPECT_EQ(ask(), 3U);
  store_.record.reset();
  answer();
  held_.deliver(held_.next().number, store_.contents());
  while (!waiting_.empty()) {
    EXPECT_THROW(held_.take_or_note(waiting_.back()), Error);
    held_.forget(waiting_.back());
    waiting_.pop_back();
  }
  EXPECT_NE(held_.next().kind, Action::Kind::add);
}

TEST_F(Callers, that_took_their_number_early_get_it_as_its_range_comes) {
  wait(1);
  EXPECT_EQ(ask(), 1U);
  answer();
  EXPECT_EQ(look(), 1U);
  const std::uint64_t early = held_.word().take();
  EXPECT_EQ(early, 2U);
  EXPECT_FALSE(held_.serve_or_want(early));
  EXPECT_EQ(held_.word().take(), Range::kFrozen) << "who comes later takes none";
  EXPECT_EQ(ask(), 1U);
  answer();
  EXPECT_TRUE(held_.serve_or_want(early));
  EXPECT_TRUE(held_.word().holds(early));
  EXPECT_FALSE(held_.serve_or_want()) << "no other number came";
}

TEST_F(Callers, that_took_their_number_early_get_it_though_the_counter_then_refuses_all_others) {
  wait(1);
  EXPECT_EQ(ask(), 1U);
  answer();
  EXPECT_EQ(look(), 1U);
  const std::uint64_t early = held_.word().take();
  EXPECT_FALSE(held_.serve_or_want(early));
  EXPECT_EQ(ask(), 1U);
  answer();
  EXPECT_FALSE(held_.serve_or_want());
  EXPECT_EQ(ask(), 1U);
  store_.record.reset();
  answer();
  held_.deliver(held_.next().number, store_.contents());
  EXPECT_THROW(held_.serve_or_want(), Error);
  EXPECT_TRUE(held_.serve_or_want(early));
  EXPECT_TRUE(held_.word().holds(early));
}

// In a copy of the process a call goes on that was noted by the object of the original.
TEST_F(Callers, that_were_noted_elsewhere_are_noted_again) {
  wait(1);
  HeldNumbers of_the_copy{one_at_a_time(store_)};
  of_the_copy.forget(waiting_.back());
  EXPECT_FALSE(of_the_copy.take_or_note(waiting_.back()));
  of_the_copy.deliver(of_the_copy.next().number, store_.contents());
  const Action add = of_the_copy.next();
  EXPECT_EQ(add.add.n, 1U);
  of_the_copy.deliver(add.number, count::step(store_.record, add.add, store_.present()));
  EXPECT_TRUE(of_the_copy.take_or_note(waiting_.back()));
  EXPECT_FALSE(of_the_copy.take_or_note(waiting_.back()));
  EXPECT_EQ(of_the_copy.next().add.n, 1U);
}

}  // namespace
}  // namespace polyflake::count
