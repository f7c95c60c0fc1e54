// Threads that work at the same time, and what all of their ids must satisfy.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace polyflake::test {

using Ids = std::vector<std::uint64_t>;

// This many, fewer under a sanitizer: POLYFLAKE_STRESS_DIVISOR.
inline std::size_t scaled(std::size_t count) {
  const char* const divisor = std::getenv("POLYFLAKE_STRESS_DIVISOR");
  return divisor == nullptr ? count : std::max<std::size_t>(count / static_cast<std::size_t>(std::atoi(divisor)), 1);
}

// Runs work(thread number, ids of that thread) in so many threads that start together.
template <class Work>
std::vector<Ids> together(int count, const Work& work) {
  std::vector<Ids> ids(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  std::atomic<int> waiting{count};
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      work(i, ids[static_cast<std::size_t>(i)]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return ids;
}

// Strictly increasing per thread, no id twice over all. Returns how many there are.
inline std::size_t expect_unique(const std::vector<Ids>& threads) {
  Ids all;
  for (const Ids& ids : threads) {
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()), ids.end()) << "not increasing";
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an id twice";
  return all.size();
}

}  // namespace polyflake::test
