#include "bits/key_text.hpp"

#include <polyflake/error.hpp>

#include <algorithm>

#include "base/wipe.hpp"

namespace polyflake {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view without_line_end(std::string_view text) {
  if (text.empty() || text.back() != '\n') return text;
  text.remove_suffix(1);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

}  // namespace

bool is_hex_digit(char c) { return hex_value(c) >= 0; }

Key::Key(std::string_view text) {
  const std::string_view digits = without_line_end(text);
  const auto good =
      static_cast<std::size_t>(std::find_if_not(digits.begin(), digits.end(), is_hex_digit) - digits.begin());
  const std::size_t size = digits.size() / 2;
  if (good < digits.size() || digits.size() % 2 != 0 || (size != 16 && size != 24 && size != 32)) {
    const std::size_t position = std::min(good, 2 * kLongest);
    throw Error(ErrorCode::text_invalid,
                "a key in text is 32, 48 or 64 hex digits and at most one line end, unlike this one from position " +
                    std::to_string(position) + " on",
                position);
  }
  size_ = size;
  for (std::size_t i = 0; i < size; ++i) {
    bytes_[i] = static_cast<char>(hex_value(digits[2 * i]) << 4 | hex_value(digits[2 * i + 1]));
  }
}

Key::~Key() { wipe(bytes_.data(), bytes_.size()); }

}  // namespace polyflake
