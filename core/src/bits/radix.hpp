// Numbers of 64 bits as digits of a base that is known at compile time: the loops of every codec.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace polyflake {

constexpr std::uint8_t kNoDigit = 0xff;
constexpr int kLargestBase = 64;

// The character of each value, and the value of each character.
struct Alphabet {
  std::string_view digits;
  std::array<std::uint8_t, 256> values{};  // kNoDigit: the character is not a digit

  constexpr std::uint8_t value(char c) const { return values[static_cast<unsigned char>(c)]; }
  constexpr void read(char c, std::uint8_t as) { values[static_cast<unsigned char>(c)] = as; }
};

constexpr Alphabet alphabet_of(std::string_view digits) {
  Alphabet alphabet{digits};
  for (std::size_t i = 0; i < alphabet.values.size(); ++i) alphabet.values[i] = kNoDigit;
  std::uint8_t value = 0;
  for (const char c : digits) alphabet.read(c, value++);
  return alphabet;
}

constexpr std::uint64_t power(std::uint64_t base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

// Returns the number of digits of 2^64 - 1.
constexpr int full_width_in(std::uint64_t base) {
  int digits = 0;
  for (std::uint64_t rest = std::numeric_limits<std::uint64_t>::max(); rest > 0; rest /= base) ++digits;
  return digits;
}

template <const Alphabet& alphabet>
class Radix {
 public:
  static constexpr std::uint64_t kBase = alphabet.digits.size();
  static constexpr int kWidth = full_width_in(kBase);
  static_assert(kBase <= kLargestBase);

  // Writes kWidth digits, with leading zeros.
  static void write(std::uint64_t id, char* text) {
    int left = kWidth;
    for (; left > kGroup; left -= kGroup) {
      const std::uint64_t rest = id / kGroupSize;
      write_group<kGroup>(id - rest * kGroupSize, text + left - kGroup);
      id = rest;
    }
    write_group<(kWidth - 1) % kGroup + 1>(id, text);
  }

  // Reads at most kWidth digits. Returns false if a character is not a digit or the number does not
  // fit.
  static bool read(std::string_view text, std::uint64_t& id) {
    if (text.empty()) return false;
    std::uint64_t head = 0;
    unsigned seen = 0;
    for (const char c : text.substr(0, text.size() - 1)) {
      const std::uint8_t digit = alphabet.value(c);
      seen |= digit;
      head = head * kBase + digit;  // kWidth - 1 digits always fit
    }
    const std::uint8_t last = alphabet.value(text.back());
    seen |= last;
    id = head * kBase + last;
    return seen < kLargestBase && head <= kMost / kBase && head * kBase <= kMost - last;
  }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static constexpr int kGroup = 5;
  static constexpr std::uint64_t kGroupSize = power(kBase, kGroup);

  // Writes the digits from the front without a division. `number` becomes a fixed-point fraction
  // with its first digit before the point, and each multiplication by the base brings the next
  // digit there. The fraction is rounded up by less than 2^-57. That error grows to at most number
  // * base^4 / 2^57 of the last digit: less than one, since base^9 < 2^57.
  template <int digits>
  static void write_group(std::uint64_t number, char* text) {
    constexpr int kPoint = 57;
    constexpr std::uint64_t kOne = std::uint64_t{1} << kPoint;
    static_assert(kBase < 80);
    std::uint64_t fraction = number * (kOne / power(kBase, digits - 1) + 1);
    for (int i = 0; i < digits; ++i) {
      text[i] = alphabet.digits[fraction >> kPoint];
      fraction = (fraction & (kOne - 1)) * kBase;
    }
  }
};

}  // namespace polyflake
