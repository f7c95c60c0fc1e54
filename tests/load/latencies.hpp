// Latencies of a run, kept one by one: percentiles are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyflake::load {

class Latencies {
 public:
  void add(std::int64_t ns) { ms_.push_back(static_cast<float>(ns) / 1e6F); }
  std::size_t size() const { return ms_.size(); }

  // Returns the least latency in ms that so large a share of all does not exceed; share: above 0, at
  // most 1. Requires: there is one.
  double at(double share);

 private:
  std::vector<float> ms_;
};

}  // namespace polyflake::load
