// Threads that do so much each, started together.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace polyflake::bench {

// work(thread) on so many threads; returns the seconds until the last has ended.
template <class Work>
double together(std::size_t count, const Work& work) {
  std::vector<std::thread> threads;
  std::atomic<std::size_t> missing{count};
  const auto meet = [&] {
    --missing;
    while (missing != 0) std::this_thread::yield();
  };
  for (std::size_t i = 1; i < count; ++i) {
    threads.emplace_back([&, i] {
      meet();
      work(i);
    });
  }
  meet();
  const auto begin = std::chrono::steady_clock::now();
  work(std::size_t{0});
  for (std::thread& thread : threads) thread.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace polyflake::bench
