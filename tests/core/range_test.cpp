// The range word and the supply that fills it, in one thread.
#include <polyflake/detail/range.hpp>

#include <gtest/gtest.h>

#include "count/supply.hpp"

namespace polyflake::test {
namespace {

std::uint64_t next_of(Range& range) {
  const std::uint64_t number = range.take();
  return range.holds(number) ? number : 0;
}

TEST(Ranges, hand_out_each_number_once_and_then_nothing) {
  Range range;
  EXPECT_EQ(next_of(range), 0U) << "nothing is installed";
  range.install(5, 8);
  EXPECT_EQ(range.left(), 3U);
  for (const std::uint64_t number : {5U, 6U, 7U}) EXPECT_EQ(next_of(range), number);
  EXPECT_EQ(next_of(range), 0U);
  EXPECT_EQ(range.left(), 0U);
}

TEST(Ranges, that_are_replaced_begin_at_the_first_number_of_the_new_one) {
  Range range;
  range.install(5, 6);
  EXPECT_EQ(next_of(range), 5U);
  const std::uint64_t between = range.take();
  EXPECT_EQ(between, 6U);
  range.install(9, 12);
  EXPECT_FALSE(range.holds(between)) << "the counter gave it to another process";
  EXPECT_EQ(next_of(range), 9U);
  EXPECT_FALSE(range.holds(5)) << "a number of the former range";
}

TEST(Ranges, that_are_extended_keep_what_was_taken_before) {
  Range range;
  range.install(5, 6);
  EXPECT_EQ(next_of(range), 5U);
  const std::uint64_t early = range.take();
  EXPECT_FALSE(range.holds(early));
  range.install(6, 8);
  EXPECT_TRUE(range.holds(early));
  EXPECT_TRUE(range.holds(5)) << "also one that is being checked";
  EXPECT_EQ(next_of(range), 7U) << "`next` is not stored: 6 was taken";
}

TEST(Ranges, that_are_paused_lose_no_number_to_calls_that_fail) {
  Range range;
  range.install(5, 6);
  EXPECT_EQ(next_of(range), 5U);
  range.pause();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(range.take(), Range::kFrozen);
  range.install(6, 8);
  EXPECT_EQ(next_of(range), 6U);
}

TEST(Ranges, give_neighbouring_numbers_and_never_more_than_are_left) {
  Range range;
  range.install(5, 9);
  Range::Numbers some = range.take_some(3);
  EXPECT_EQ(some.first, 5U);
  EXPECT_EQ(some.count, 3U);
  some = range.take_some(3);
  EXPECT_EQ(some.first, 8U);
  EXPECT_EQ(some.count, 1U);
  EXPECT_EQ(range.take_some(3).count, 0U);
  range.install(9, 10);
  EXPECT_EQ(range.take_some(3).first, 9U) << "nothing was taken beyond the end";
  range.install(20, 22);
  EXPECT_EQ(range.take_some(1).first, 20U);
}

TEST(Ranges, that_are_frozen_tell_what_is_left_and_never_thaw) {
  Range range;
  range.install(5, 9);
  EXPECT_EQ(next_of(range), 5U);
  EXPECT_EQ(range.freeze(), 6U);
  EXPECT_EQ(next_of(range), 0U);
  range.install(9, 20);
  EXPECT_EQ(next_of(range), 0U);
  EXPECT_EQ(range.take_some(5).count, 0U);
  EXPECT_EQ(range.left(), 0U);
  EXPECT_EQ(range.freeze(), Range::kFrozen);
}

TEST(Ranges, reach_to_the_last_number_of_63_bits) {
  Range range;
  range.install(Range::kFrozen - 2, Range::kFrozen);
  EXPECT_EQ(next_of(range), Range::kFrozen - 2);
  EXPECT_EQ(next_of(range), Range::kFrozen - 1);
  EXPECT_EQ(next_of(range), 0U);
}

TEST(Ranges, are_void_in_every_execution_but_their_own) {
  std::atomic<std::uint64_t> execution{1};
  Range range(Grant::Owner(1, execution));
  range.install(5, 9);
  EXPECT_EQ(next_of(range), 5U);
  execution = 0;  // as a copy of the process finds it
  EXPECT_EQ(next_of(range), 0U);
  EXPECT_EQ(range.take_some(2).count, 0U);
  EXPECT_FALSE(range.of_this_execution());
}

// Takes a number of the words alone, as a runtime does that knows nothing else. 0: none that counts.
std::uint64_t next_of(const Range::Words& words) {
  if (*words.paused != 0) return 0;
  const std::uint64_t number = (*words.next)++;
  const std::uint64_t limit = *words.limit;
  return *words.begin <= number && number < limit && *words.execution == words.owner ? number : 0;
}

TEST(Ranges, are_read_by_their_words_as_by_their_functions) {
  std::atomic<std::uint64_t> execution{1};
  Range one(Grant::Owner(1, execution)), other(Grant::Owner(1, execution));
  const Range::Words words = other.words();
  const auto both = [&](std::uint64_t number) {
    EXPECT_EQ(next_of(one), number);
    EXPECT_EQ(next_of(words), number);
  };
  const auto install = [&](std::uint64_t first, std::uint64_t end) {
    one.install(first, end);
    other.install(first, end);
  };
  both(0);
  install(5, 7);
  for (const std::uint64_t number : {5U, 6U, 0U}) both(number);
  install(7, 10);
  both(8);
  install(20, 30);
  both(20);
  one.pause();
  other.pause();
  both(0);
  install(30, 40);
  both(30);
  EXPECT_EQ(one.take_some(5).first, 31U);
  EXPECT_EQ(other.take_some(5).first, 31U);
  both(36);
  execution = 0;
  both(0);
  execution = 1;
  both(38);
  EXPECT_EQ(one.drop(), 1U);
  EXPECT_EQ(other.drop(), 1U);
  both(0);
  install(50, 60);
  both(50);
  EXPECT_EQ(one.freeze(), 51U);
  EXPECT_EQ(other.freeze(), 51U);
  both(0);
  EXPECT_EQ(one.left(), other.left());
}

// --- supplies ----------------------------------------------------------------------------------------

TEST(Supplies, hand_out_what_is_left_though_callers_took_numbers_too_early) {
  count::Supply supply(count::AdaptiveStep({}, 2), 0);
  Range& word = supply.word();
  supply.add({1, 3});
  for (const std::uint64_t number : {1U, 2U}) {
    EXPECT_TRUE(supply.serve());
    EXPECT_EQ(word.take(), number);
    EXPECT_TRUE(word.holds(number));
  }
  EXPECT_EQ(word.take(), 3U) << "by a call that gives up";
  EXPECT_EQ(word.take(), 4U) << "by a call that waits";
  EXPECT_FALSE(supply.serve());
  supply.add({3, 5});
  EXPECT_FALSE(supply.serve()) << "no number is left";
  EXPECT_TRUE(word.holds(4)) << "and the one that was taken is good";
}

}  // namespace
}  // namespace polyflake::test
