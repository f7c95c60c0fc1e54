// FF1 of NIST SP 800-38G for strings of 8 bytes: radix 256, a permutation of all 64-bit numbers, big endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bits/aes.hpp"

namespace polyflake {

class Ff1 {
 public:
  static constexpr std::size_t kLongestTweak = 255;  // ours: the standard has room for more than 4 billion bytes

  // key: 16, 24 or 32 bytes. tweak: up to kLongestTweak.
  Ff1(std::string_view key, std::string_view tweak);
  ~Ff1();
  Ff1(const Ff1&) = delete;
  Ff1& operator=(const Ff1&) = delete;

  std::uint64_t encrypt(std::uint64_t number) const;
  std::uint64_t decrypt(std::uint64_t number) const;

 private:
  std::uint32_t round(std::uint8_t index, std::uint32_t half) const;

  const Aes aes_;
  // Of what a round puts into its hash, all but the round's number and one half is the same for every id. Hashed as far as
  // whole blocks go, so that a round is one block.
  std::uint64_t begun_high_, begun_low_;
};

}  // namespace polyflake
