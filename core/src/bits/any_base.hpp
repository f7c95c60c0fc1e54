// Numbers of 64 bits as digits of an alphabet that the caller chose, and the rules for it: shared
// by Sqids and Hashids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/text_refusal.hpp"

namespace polyflake {

// Errors: option_invalid unless `alphabet` has at least `fewest` printable ASCII characters, each
// once.
void require_alphabet(std::string_view alphabet, std::size_t fewest);

// Errors: option_invalid.
void require_min_length(std::int64_t min_length, std::int64_t most);
void require_count(std::size_t ids, std::size_t most);

// Appends the number without leading zeros.
inline void append_number(std::string& text, std::uint64_t number, std::string_view digits) {
  char all[64];
  char* const end = all + sizeof all;
  char* first = end;
  do {
    *--first = digits[number % digits.size()];
    number /= digits.size();
  } while (number > 0);
  text.append(first, end);
}

// Appends a digit to a number. Returns false if the result is above 2^64 - 1.
inline bool append_digit(std::uint64_t& number, std::size_t digit, std::size_t base) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (number > (kMost - digit) / base) return false;
  number = number * base + digit;
  return true;
}

// Errors: text_invalid at the first character of the text that is not in the alphabet.
void require_characters(const TextRefusal& refusal, std::string_view alphabet);

// Errors: text_invalid at the first character that differs from the canonical text of the same ids.
void require_same(const TextRefusal& refusal, std::string_view canonical);

}  // namespace polyflake
