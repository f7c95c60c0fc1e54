// Bytes as lower-case hex digits.
#pragma once

#include <cstdint>

namespace polyflake {

inline void write_hex(std::uint8_t byte, char* text) {
  constexpr char kDigits[] = "0123456789abcdef";
  text[0] = kDigits[byte >> 4];
  text[1] = kDigits[byte & 15];
}

// Returns 0 to 15, or a negative number if `c` is not a lower-case hex digit.
inline int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace polyflake
