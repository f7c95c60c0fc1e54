// Random words of a source: the entropy of the process, or the bytes that a test gave.
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
  // given: words of 8 bytes, big endian. Only accepted with `manual`, a test clock, which shows
  // that the ids are not for use. Errors: option_invalid.
  RandomWords(const std::optional<std::string>& given, bool manual);

  bool given() const { return given_.has_value(); }

  // Returns the next word. Errors: those of entropy::bits(); option_invalid if the given words are
  // used up.
  std::uint64_t next() { return given_ ? next_given() : entropy::bits(); }
  void fill(std::uint64_t* words, std::size_t n);

  // Errors: option_invalid if fewer than n given words are left.
  void expect(std::size_t n) const {
    if (given_) expect_given(n);
  }

 private:
  // Apart from next(), which then needs no frame for what this throws.
  [[gnu::cold]] [[gnu::noinline]] std::uint64_t next_given();
  void expect_given(std::size_t n) const;

  const std::optional<std::string> given_;
  std::atomic<std::size_t> used_{0};  // words
};

}  // namespace polyflake
