#include "open/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace polyflake {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t size = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t group = 0;
    for (std::size_t n = 0; n < 3; ++n) group = group << 8 | (n < size ? static_cast<unsigned char>(bytes[i + n]) : 0U);
    for (std::size_t n = 0; n < 4; ++n) text += n <= size ? kDigits[group >> (18 - 6 * n) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t value = text[i] == '=' ? 0 : kDigits.find(text[i]);
    if (value == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(value);
    if (i % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 255);
    group = 0;
  }
  const std::size_t padding = text.size() - std::min(text.find('='), text.size());
  bytes.resize(bytes.size() - std::min(padding, bytes.size()));
  if (to_base64(bytes) != text) return std::nullopt;  // anything else: a missing digit, a bit too many
  return bytes;
}

}  // namespace polyflake
