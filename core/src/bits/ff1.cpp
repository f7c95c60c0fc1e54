#include "bits/ff1.hpp"

#include "base/wipe.hpp"

namespace polyflake {
namespace {

constexpr std::uint8_t kRounds = 10;
// Where the last block has the number of the round, one byte, and the half, four.
constexpr std::size_t kRound = 11;
constexpr std::size_t kHalf = 12;

void mix(Aes::Block& block, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) block[at + i] ^= static_cast<std::uint8_t>(number >> (24 - 8 * i));
}

std::uint32_t number_at(const Aes::Block& block, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | block[at + i];
  return number;
}

}  // namespace

// The names are the standard's: P is a block, Q the tweak, zeros, the round and the half, in whole blocks.
Ff1::Ff1(std::string_view key, std::string_view tweak) : aes_(key) {
  // P: radix 256 in three bytes, 10 rounds, halves of 4 bytes, of 8 together; then the length of the tweak.
  begun_ = {1, 2, 1, 0, 1, 0, 10, 4, 0, 0, 0, 8};
  mix(begun_, 12, static_cast<std::uint32_t>(tweak.size()));
  const std::size_t zeros = 15 - (tweak.size() + 4) % 16;  // the round and the half are 5 bytes
  std::size_t at = 0;
  aes_.encrypt(begun_);
  for (std::size_t i = 0; i < tweak.size() + zeros; ++i) {
    if (i < tweak.size()) begun_[at] ^= static_cast<std::uint8_t>(tweak[i]);
    if (++at == begun_.size()) {
      aes_.encrypt(begun_);
      at = 0;
    }
  }
}

Ff1::~Ff1() { wipe(begun_.data(), begun_.size()); }

// F of the Feistel network: the hash's first 8 bytes as a number, modulo 256^4.
std::uint32_t Ff1::round(std::uint8_t index, std::uint32_t half) const {
  Aes::Block block = begun_;
  block[kRound] ^= index;
  mix(block, kHalf, half);
  aes_.encrypt(block);
  return number_at(block, 4);
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
