// Random words of a source: the entropy of the process, or in tests what was given.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "kinds/entropy.hpp"

namespace polyflake {

class RandomWords {
 public:
  // given: words of 8 bytes, big endian; only where `manual`, the clock of a test, says that ids are not for use.
  // Errors: option_invalid.
  RandomWords(const std::optional<std::string>& given, bool manual);

  bool given() const { return given_.has_value(); }

  // Errors: those of entropy::bits(); option_invalid, where what was given is used up.
  std::uint64_t next() { return given_ ? next_given() : entropy::bits(); }
  void fill(std::uint64_t* words, std::size_t n);

  // Errors: option_invalid, where what was given is less.
  void expect(std::size_t n) const {
    if (given_) expect_given(n);
  }

 private:
  std::uint64_t next_given();
  void expect_given(std::size_t n) const;

  const std::optional<std::string> given_;
  std::atomic<std::size_t> used_{0};  // words
};

}  // namespace polyflake
