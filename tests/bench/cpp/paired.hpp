// How fast something is, as a multiple of a floor measured at the same time.
//
// Short chunks alternate: floor, candidate, floor. Each candidate chunk is divided by the mean of its two
// neighbours, so that a machine that changes its speed changes both. The result is the median of the rounds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include <polyflake/clock.hpp>

namespace polyflake::bench {

// Does something many times, for about a millisecond; returns the nanoseconds of one time.
using Chunk = std::function<double()>;

struct Paired {
  double floor_ns;      // of one operation; medians
  double candidate_ns;
  double ratio;         // candidate over floor; of rates where that was asked for
  double lower, upper;  // quartiles of the ratio
  std::size_t rounds;
};

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

class Pairing {
 public:
  enum class Of { costs, rates };

  Pairing(Chunk floor, Chunk candidate, Of of = Of::costs)
      : floor_(std::move(floor)), candidate_(std::move(candidate)), of_(of) {}

  // One round; returns the nanoseconds of one candidate operation.
  double round() {
    const double before = floor_();
    const double between = candidate_();
    const double floor = (before + floor_()) / 2;
    floors_.push_back(floor);
    candidates_.push_back(between);
    ratios_.push_back(of_ == Of::costs ? between / floor : floor / between);
    return between;
  }

  Paired result() const {
    return {quantile(floors_, 0.5),  quantile(candidates_, 0.5), quantile(ratios_, 0.5),
            quantile(ratios_, 0.25), quantile(ratios_, 0.75),    ratios_.size()};
  }

 private:
  Chunk floor_, candidate_;
  Of of_;
  std::vector<double> floors_, candidates_, ratios_;
};

template <class Operation>
double ns_of_one(const Operation& operation, std::size_t count) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) operation();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
         static_cast<double>(count);
}

// As many times as take one to two milliseconds.
template <class Operation>
Chunk repeated(const Operation& operation) {
  std::size_t count = 1;
  const auto chunk_ns = [&] {  // the faster of two, since one may have been interrupted
    return std::min(ns_of_one(operation, count), ns_of_one(operation, count)) * static_cast<double>(count);
  };
  while (chunk_ns() < 1e6) count *= 2;
  return [=] { return ns_of_one(operation, count); };
}

// So many times from the beginning of a millisecond of the clock: for generators whose ticks are used up soon.
template <class Operation>
Chunk in_a_fresh_ms(const Operation& operation, std::size_t count) {
  return [=] {
    for (const std::int64_t begin = SystemClock::read_ms(); SystemClock::read_ms() == begin;) {
    }
    return ns_of_one(operation, count);
  };
}

}  // namespace polyflake::bench
