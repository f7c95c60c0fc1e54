// ASCII texts in any locale: strict reading of numbers, for layouts, ids, worker sources and node
// files; lower case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake::ascii {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns true for a canonical decimal: digits only, no sign, no blank, no leading zero.
inline bool is_canonical_decimal(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  for (const char c : text) {
    if (!is_digit(c)) return false;
  }
  return true;
}

// Returns the value of a canonical decimal of at most 20 digits. Nothing if it is malformed or does
// not fit 64 bits.
inline std::optional<std::uint64_t> decimal(std::string_view text) {
  if (text.size() > 20 || !is_canonical_decimal(text)) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (UINT64_MAX - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

// Returns the text with A to Z in lower case.
inline std::string lower(std::string_view text) {
  std::string letters(text);
  for (char& c : letters) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return letters;
}

}  // namespace polyflake::ascii
