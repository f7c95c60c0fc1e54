// Random bits as a parameter, so that a schedule can be repeated.
#pragma once

#include <cstdint>

#include <polyflake/store.hpp>

namespace polyflake::lease {

class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t bits() = 0;

  // Names of requests and owners must be from the operating system: equal ones would be taken for the same.
  Word word() {
    const std::uint64_t high = bits();
    return {high, bits() | 1};  // never the word that stands for none
  }
  // 0 to n - 1; n > 0.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
};

}  // namespace polyflake::lease
