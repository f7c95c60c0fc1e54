// Work and its floor in turns: floor, work, floor, again and again, in chunks of about a millisecond. What is kept are the
// times as they were taken; tests/bench/report makes ratios of them. All ids of all chunks are compared.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include <polyflake/clock.hpp>

namespace polyflake::bench {

using Ids = std::vector<std::uint64_t>;
using Steady = std::chrono::steady_clock;

inline double ns_since(Steady::time_point begin) {
  return std::chrono::duration<double, std::nano>(Steady::now() - begin).count();
}

// Makes so many calls and keeps what they give. Each has a loop of its own, so that the compiler sees the call.
using Loop = std::function<void(std::uint64_t* out, std::size_t count)>;

template <class Call>
Loop loop_of(Call call) {
  return [call](std::uint64_t* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = call();
  };
}

// Runs once, adds the ids to `issued`, returns the nanoseconds of one call.
using Chunk = std::function<double(Ids& issued)>;

inline void await_fresh_ms() {
  for (const std::int64_t begin = SystemClock::read_ms(); SystemClock::read_ms() == begin;) {
  }
}

// Calls on this thread. `batch`: each call overwrites so many ids, of which the last call's are kept.
class Alone {
 public:
  explicit Alone(Loop loop, std::size_t batch = 0) : loop_(std::move(loop)), batch_(batch) {
    out_.resize(std::size_t{1} << 20);
    while (std::min(run(), run()) < 1e6 && 2 * count_ <= out_.size()) count_ *= 2;
  }

  // So many calls, from the beginning of a millisecond on: for what has few ids in one.
  static Alone in_a_fresh_ms(Loop loop, std::size_t count, std::size_t batch = 0) {
    Alone alone;
    alone.loop_ = std::move(loop), alone.count_ = count, alone.batch_ = batch, alone.fresh_ = true;
    alone.out_.resize(std::max(count, batch));
    return alone;
  }

  double operator()(Ids& issued) {
    if (fresh_) await_fresh_ms();
    const double ns = run();
    issued.insert(issued.end(), out_.begin(),
                  out_.begin() + static_cast<std::ptrdiff_t>(batch_ != 0 ? batch_ : count_));
    return ns / static_cast<double>(count_);
  }

 private:
  Alone() = default;

  double run() {
    const auto begin = Steady::now();
    loop_(out_.data(), count_);
    return ns_since(begin);
  }

  Loop loop_;
  std::size_t batch_ = 0, count_ = 1;
  bool fresh_ = false;
  Ids out_;
};

// Two threads that go on side by side for a millisecond, again and again. The second one lives as long as the duet and
// spins in between, so that both begin within the time that a cache line takes.
class Duet {
 public:
  Duet() : second_([this] { serve(); }) {}
  ~Duet() {
    job_ = nullptr;
    turn_.fetch_add(1, std::memory_order_release);
    second_.join();
  }
  Duet(const Duet&) = delete;
  Duet& operator=(const Duet&) = delete;

  // Nanoseconds of one call while both make calls: 1 over the sum of their rates.
  double both(const Loop& loop, Ids& issued) {
    job_ = &loop;
    stop_.store(false, std::memory_order_relaxed);  // published by `turn_`
    done_.store(false, std::memory_order_relaxed);
    turn_.fetch_add(1, std::memory_order_release);
    const auto begin = Steady::now();
    const double rate = mine_.repeat(loop, [=] { return ns_since(begin) >= 1e6; });
    stop_.store(true, std::memory_order_relaxed);  // a sign only
    while (!done_.load(std::memory_order_acquire)) std::this_thread::yield();
    for (const Part* part : {&mine_, &others_}) {
      issued.insert(issued.end(), part->out.begin(), part->out.begin() + static_cast<std::ptrdiff_t>(part->count));
    }
    return 1 / (rate + others_rate_);
  }

 private:
  struct Part {
    Ids out = Ids(std::size_t{1} << 20);
    std::size_t count = 0;

    // Calls a nanosecond. Ends early where there is no more room.
    template <class Ended>
    double repeat(const Loop& loop, const Ended& ended) {
      constexpr std::size_t kTimes = 64;
      const auto begin = Steady::now();
      count = 0;
      do {
        loop(out.data() + count, kTimes);
        count += kTimes;
      } while (!ended() && count + kTimes <= out.size());
      return static_cast<double>(count) / ns_since(begin);
    }
  };

  void serve() {
    for (unsigned turn = 1;; ++turn) {
      while (turn_.load(std::memory_order_acquire) != turn) std::this_thread::yield();
      if (job_ == nullptr) return;
      others_rate_ = others_.repeat(*job_, [this] { return stop_.load(std::memory_order_relaxed); });
      done_.store(true, std::memory_order_release);
    }
  }

  const Loop* job_ = nullptr;  // this and what follows is handed over by `turn_` and `done_`
  Part mine_, others_;
  double others_rate_ = 0;
  alignas(64) std::atomic<unsigned> turn_{0};
  std::atomic<bool> stop_{false}, done_{false};
  std::thread second_;  // last: it uses what stands above
};

}  // namespace polyflake::bench
