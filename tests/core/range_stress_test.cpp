// The range word under threads: each number once, and only numbers that the counter gave.
#include <polyflake/detail/range.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr int kThreads = 4;

// A counter whose ranges are short, and in part taken by other processes.
class Counter {
 public:
  // Installs the next range, unless another thread has.
  void serve(Range& range, std::uint64_t missed) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!range.holds(missed) && range.left() == 0) install(range);
  }

  void install(Range& range) {
    const std::uint64_t random = state_ = state_ * 6364136223846793005 + 1442695040888963407;
    const std::uint64_t first = end_ + (random >> 40) % 3;  // often neighbours
    end_ = first + 1 + (random >> 50) % 8;
    given_.emplace_back(first, end_);
    range.install(first, end_);
  }

  bool gave(std::uint64_t number) const {
    const auto after = std::upper_bound(given_.begin(), given_.end(), std::pair(number, UINT64_MAX));
    return after != given_.begin() && number < std::prev(after)->second;
  }

  std::uint64_t end() const { return end_; }

 private:
  std::mutex mutex_;
  std::uint64_t state_ = 1;
  std::uint64_t end_ = 1;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> given_;
};

std::uint64_t next_of(Range& range, Counter& counter) {
  for (;;) {
    const std::uint64_t number = range.take();
    if (range.holds(number)) return number;
    counter.serve(range, number);
    if (range.holds(number)) return number;  // taken before its range came
  }
}

void take_some(Range& range, Counter& counter, std::uint64_t most, Ids& ids) {
  const Range::Numbers some = range.take_some(most);
  if (some.count == 0) counter.serve(range, Range::kFrozen);
  for (std::uint64_t i = 0; i < some.count; ++i) ids.push_back(some.first + i);
}

void expect_given(const std::vector<Ids>& threads, const Counter& counter) {
  for (const Ids& ids : threads) {
    for (const std::uint64_t id : ids) ASSERT_TRUE(counter.gave(id)) << id;
  }
}

TEST(Ranges, that_many_threads_use_up_give_each_number_once_and_none_that_the_counter_did_not_give) {
  Range range;
  Counter counter;
  const std::size_t each = scaled(500'000);
  const auto ids = together(kThreads, [&](int, Ids& mine) {
    mine.reserve(each);
    while (mine.size() < each) mine.push_back(next_of(range, counter));
  });
  EXPECT_EQ(expect_unique(ids), kThreads * each);
  expect_given(ids, counter);
}

// A number between two ranges is looked at again and again, also while the second one is being installed.
TEST(Ranges, that_are_being_installed_hold_no_number_between_them_and_the_former_one) {
  constexpr unsigned kLooks = 256;  // then another thread may have the processor
  Range range;
  Counter counter;
  std::atomic<int> taking{2};
  const std::size_t each = scaled(100'000);
  const auto ids = together(3, [&](int thread, Ids& mine) {
    unsigned looks = 0;
    const auto has_left = [&] {
      if (++looks % kLooks == 0) std::this_thread::yield();
      return range.left() > 0;
    };
    while (thread == 0 && taking > 0) {
      if (has_left()) continue;
      range.pause();
      counter.install(range);
    }
    while (thread != 0 && mine.size() < each) {
      const std::uint64_t number = range.take();
      while (!range.holds(number) && number != Range::kFrozen && !has_left()) {
      }
      if (range.holds(number)) mine.push_back(number);
    }
    if (thread != 0) --taking;
  });
  expect_unique(ids);
  expect_given(ids, counter);
}

TEST(Ranges, give_single_numbers_and_neighbours_at_once) {
  Range range;
  Counter counter;
  const std::size_t each = scaled(300'000);
  const auto ids = together(kThreads, [&](int thread, Ids& mine) {
    while (mine.size() < each) {
      if (thread % 2 == 0) mine.push_back(next_of(range, counter));
      else take_some(range, counter, 1 + mine.size() % 5, mine);
    }
  });
  expect_unique(ids);
  expect_given(ids, counter);
}

// As closing does: what freeze() tells is given to others.
TEST(Ranges, that_are_frozen_while_threads_take_give_nothing_of_what_is_left) {
  for (std::size_t round = 0; round < scaled(5000); ++round) {
    Range range;
    range.install(1, 200);
    std::atomic<std::uint64_t> left{Range::kFrozen};
    const auto ids = together(3, [&](int thread, Ids& mine) {
      if (thread == 0) {
        for (std::size_t i = 0; i < round % 5; ++i) std::this_thread::yield();
        left = range.freeze();
        range.install(200, 300);  // an answer that came late
        return;
      }
      for (std::uint64_t number; range.holds(number = range.take());) mine.push_back(number);
    });
    expect_unique(ids);
    for (const Ids& mine : ids) {
      if (!mine.empty()) {
        ASSERT_LT(mine.back(), left);
      }
    }
  }
}

}  // namespace
}  // namespace polyflake::test
