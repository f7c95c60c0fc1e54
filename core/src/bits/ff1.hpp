// FF1 for strings of 8 bytes: radix 256, a permutation of all 64-bit numbers, big endian.
// Source: NIST SP 800-38G.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bits/aes.hpp"

namespace polyflake {

class Ff1 {
 public:
  // Our limit: the standard allows more than 4 billion bytes.
  static constexpr std::size_t kLongestTweak = 255;

  // key: 16, 24 or 32 bytes. tweak: at most kLongestTweak bytes.
  Ff1(std::string_view key, std::string_view tweak);
  ~Ff1();
  Ff1(const Ff1&) = delete;
  Ff1& operator=(const Ff1&) = delete;

  std::uint64_t encrypt(std::uint64_t number) const;
  std::uint64_t decrypt(std::uint64_t number) const;

 private:
  std::uint32_t round(std::uint8_t index, std::uint32_t half) const;

  const Aes aes_;
  // The hash input of a round is the same for every id, except the round's number and one half. Its
  // whole blocks are hashed once, here, so that a round encrypts one block.
  std::uint64_t begun_high_, begun_low_;
};

}  // namespace polyflake
