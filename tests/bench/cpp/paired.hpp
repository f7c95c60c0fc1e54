// How fast something is, as a multiple of a floor measured at the same time.
//
// Short chunks alternate: floor, candidate, floor. Each candidate chunk is divided by the mean of its two
// neighbours, so that a machine that changes its speed changes both. The result is the median of the rounds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace polyflake::bench {

struct Paired {
  double floor_ns;      // of one operation; medians
  double candidate_ns;
  double ratio;         // candidate over floor
  double lower, upper;  // quartiles of the ratio
  int rounds;
};

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

// Nanoseconds that `count` operations take.
template <class Operation>
double chunk_ns(const Operation& operation, std::size_t count) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) operation();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

// How many operations take about a millisecond.
template <class Operation>
std::size_t chunk_size(const Operation& operation) {
  std::size_t count = 1;
  while (chunk_ns(operation, count) < 1e6) count *= 2;
  return count;
}

template <class Floor, class Candidate>
Paired measure(const Floor& floor, const Candidate& candidate, int rounds = 201) {
  const std::size_t floor_count = chunk_size(floor), count = chunk_size(candidate);
  std::vector<double> floors, candidates, ratios;
  for (int round = 0; round < rounds; ++round) {
    const double before = chunk_ns(floor, floor_count);
    const double between = chunk_ns(candidate, count) / static_cast<double>(count);
    const double after = chunk_ns(floor, floor_count);
    floors.push_back((before + after) / 2 / static_cast<double>(floor_count));
    candidates.push_back(between);
    ratios.push_back(candidates.back() / floors.back());
  }
  return {quantile(floors, 0.5), quantile(candidates, 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25),
          quantile(ratios, 0.75), rounds};
}

}  // namespace polyflake::bench
