#include "bits/ff1.hpp"

#include <polyflake/detail/big_endian.hpp>

#include <cstring>

#include "base/wipe.hpp"

namespace polyflake {
namespace {

constexpr std::uint8_t kRounds = 10;

// Stored as one value: AES reads a block as one, and would wait for parts that were stored
// separately.
#if defined(__GNUC__)
using Pair = std::uint64_t __attribute__((vector_size(16)));
#else
struct Pair {
  std::uint64_t high, low;
};
#endif

}  // namespace

// Names from the standard: P is a block; Q is the tweak, zeros, the round and the half, in whole
// blocks.
Ff1::Ff1(std::string_view key, std::string_view tweak) : aes_(key) {
  // P: radix 256 in three bytes, 10 rounds, halves of 4 bytes, 8 in all; then the length of the
  // tweak.
  Aes::Block begun{1, 2, 1, 0, 1, 0, kRounds, 4, 0, 0, 0, 8};
  begun[15] = static_cast<std::uint8_t>(tweak.size());
  static_assert(kLongestTweak <= 255);
  const std::size_t zeros = 15 - (tweak.size() + 4) % 16;  // the round and the half are 5 bytes
  std::size_t at = 0;
  aes_.encrypt(begun);
  for (std::size_t i = 0; i < tweak.size() + zeros; ++i) {
    if (i < tweak.size()) begun[at] ^= static_cast<std::uint8_t>(tweak[i]);
    if (++at == begun.size()) {
      aes_.encrypt(begun);
      at = 0;
    }
  }
  begun_high_ = load_big_endian(begun.data());
  begun_low_ = load_big_endian(begun.data() + 8);
  wipe(begun.data(), begun.size());
}

Ff1::~Ff1() {
  wipe(&begun_high_, sizeof begun_high_);
  wipe(&begun_low_, sizeof begun_low_);
}

// The function F of the Feistel network: returns the hash's first 8 bytes as a number, modulo
// 256^4. The round is one byte, the half the last four.
std::uint32_t Ff1::round(std::uint8_t index, std::uint32_t half) const {
  const Pair pair = {to_big_endian(begun_high_), to_big_endian(begun_low_ ^ (std::uint64_t{index} << 32 | half))};
  Aes::Block block;
  std::memcpy(block.data(), &pair, sizeof pair);
  aes_.encrypt(block);
  return static_cast<std::uint32_t>(load_big_endian(block.data()));
}

std::uint64_t Ff1::encrypt(std::uint64_t number) const {
  auto left = static_cast<std::uint32_t>(number >> 32);
  auto right = static_cast<std::uint32_t>(number);
  for (std::uint8_t i = 0; i < kRounds; ++i) {
    const std::uint32_t next = left + round(i, right);
    left = right;
    right = next;
  }
  return std::uint64_t{left} << 32 | right;
}

std::uint64_t Ff1::decrypt(std::uint64_t number) const {
  auto left = static_cast<std::uint32_t>(number >> 32);
  auto right = static_cast<std::uint32_t>(number);
  for (std::uint8_t i = kRounds; i-- > 0;) {
    const std::uint32_t before = right - round(i, left);
    right = left;
    left = before;
  }
  return std::uint64_t{left} << 32 | right;
}

}  // namespace polyflake
