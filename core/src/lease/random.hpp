// Random bits as a parameter, so that a schedule can be repeated.
#pragma once

#include <cstdint>

#include <polyflake/store.hpp>

namespace polyflake::lease {

class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t bits() = 0;

  // Returns a name for a request or an owner. It must come from the operating system: equal names
  // would be taken for the same request or owner.
  Word word() {
    const std::uint64_t high = bits();
    return {high, bits() | 1};  // never the word that means "none"
  }
  // Returns 0 to n - 1. Requires: n > 0.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
};

}  // namespace polyflake::lease
