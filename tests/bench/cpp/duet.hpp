// Two threads that do something at the same time, for a millisecond by the clock, again and again.
//
// The second thread lives as long as the duet and is awake before a chunk begins: both begin within the time
// that one cache line needs, and end within 64 operations of each other. A chunk in which a thread lost its core,
// so that they did not go on side by side, is repeated. Left alone for a while the second thread sleeps.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <functional>
#include <mutex>
#include <thread>

namespace polyflake::bench {

class Duet {
 public:
  Duet() : second_([this] { serve(); }) {}
  ~Duet() {
    job_ = nullptr;
    next_turn();
    second_.join();
  }
  Duet(const Duet&) = delete;
  Duet& operator=(const Duet&) = delete;

  // Nanoseconds of one operation while both go on: 1 over the sum of the two rates.
  template <class First, class Second>
  double both_ns(const First& first, const Second& second) {
    return undisturbed([&] {
      Stretch mine, others;
      job_ = [&] {
        // Relaxed: only a sign; what is counted is published by `finished_`.
        others = repeat(second, [&] { return stop_.load(std::memory_order_relaxed); });
      };
      stop_.store(false, std::memory_order_relaxed);
      running_.store(false, std::memory_order_relaxed);
      finished_.store(false, std::memory_order_relaxed);
      next_turn();
      wait_for(running_);
      mine = repeat(first, a_ms_from_now());
      stop_.store(true, std::memory_order_relaxed);
      wait_for(finished_);
      const bool late = others.begin - mine.begin > std::chrono::microseconds(20);
      return Stretch{mine.rate + others.rate, mine.disturbed || others.disturbed || late, mine.begin};
    });
  }

  // The same measurement of one thread; the second is idle.
  template <class Operation>
  static double one_ns(const Operation& operation) {
    return undisturbed([&] { return repeat(operation, a_ms_from_now()); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Stretch {
    double rate;  // operations a ns
    bool disturbed;
    Clock::time_point begin;
  };

  template <class Run>
  static double undisturbed(const Run& run) {
    constexpr int kTries = 20;  // then the machine is too busy, and the figure is what it is
    Stretch stretch = run();
    for (int i = 1; i < kTries && stretch.disturbed; ++i) stretch = run();
    return 1 / stretch.rate;
  }

  // Nanoseconds that this thread was on a core.
  static double cpu_ns() {
    std::timespec now;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
  }

  static auto a_ms_from_now() {
    return [end = Clock::now() + std::chrono::milliseconds(1)] { return Clock::now() >= end; };
  }

  template <class Operation, class Ended>
  static Stretch repeat(const Operation& operation, const Ended& ended) {
    constexpr int kTimes = 64;  // between two looks at the clock or the sign
    const double cpu = cpu_ns();
    const Clock::time_point begin = Clock::now();
    std::uint64_t count = 0;
    do {
      for (int i = 0; i < kTimes; ++i) operation();
      count += kTimes;
    } while (!ended());
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    return {static_cast<double>(count) / ns, cpu_ns() - cpu < 0.97 * ns, begin};
  }

  static void wait_for(const std::atomic<bool>& flag) {
    while (!flag.load(std::memory_order_acquire)) std::this_thread::yield();
  }

  void next_turn() {
    const std::lock_guard lock(mutex_);
    turn_.fetch_add(1, std::memory_order_release);
    called_.notify_one();
  }

  void await_turn(unsigned turn) {
    const auto come = [=] { return turn_.load(std::memory_order_acquire) == turn; };
    for (const Clock::time_point begin = Clock::now(); Clock::now() - begin < std::chrono::microseconds(200);) {
      if (come()) return;
      std::this_thread::yield();
    }
    std::unique_lock lock(mutex_);
    called_.wait(lock, come);
  }

  void serve() {
    for (unsigned turn = 1;; ++turn) {
      await_turn(turn);
      if (!job_) return;
      running_.store(true, std::memory_order_release);
      job_();
      finished_.store(true, std::memory_order_release);
    }
  }

  std::function<void()> job_;  // handed over by turn_
  std::mutex mutex_;           // so that no call is missed by one who goes to sleep
  std::condition_variable called_;
  alignas(64) std::atomic<unsigned> turn_{0};
  std::atomic<bool> running_{false}, finished_{false};
  alignas(64) std::atomic<bool> stop_{false};
  std::thread second_;  // last: it uses what stands above
};

}  // namespace polyflake::bench
