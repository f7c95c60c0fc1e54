// Secrets, compared without telling how much of one was right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polyflake::server {

// A text of any length in a block of one size. Texts of at most kLongest bytes are equal if and
// only if their blocks are; the block of a longer text is equal to none of theirs.
class Secret {
 public:
  static constexpr std::size_t kLongest = 128;

  explicit Secret(std::string_view text) {
    text.copy(reinterpret_cast<char*>(words_.data()), kLongest);
    words_.back() = text.size();  // "a" and "a\0" differ
  }

  // Returns 0 if they are equal, else 1. The time does not depend on the bytes.
  std::uint64_t differs_from(const Secret& other) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) bits |= words_[i] ^ other.words_[i];
    hide(bits);
    return (bits | (0 - bits)) >> 63;
  }

  // Keeps the compiler from finding out what a value can be, and from ending a loop early for it.
  static void hide(std::uint64_t& value) { asm volatile("" : "+r"(value)); }

 private:
  std::array<std::uint64_t, kLongest / 8 + 1> words_{};
};

}  // namespace polyflake::server
