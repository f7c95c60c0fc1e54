// Chance from a seed, so that every schedule can be repeated.
#pragma once

#include <cstdint>

#include "lease/random.hpp"

namespace polyflake::simulation {

class Dice final : public lease::Random {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15 + 1) {}

  // SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
  std::uint64_t bits() override {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  bool percent(unsigned chance) { return below(100) < chance; }
  bool permille(unsigned chance) { return below(1000) < chance; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least) + 1));
  }

 private:
  std::uint64_t state_;
};

}  // namespace polyflake::simulation
