#include <polyflake/text.hpp>

#include <polyflake/error.hpp>

#include <charconv>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr std::size_t kHexLength = 16;

[[noreturn]] void refuse(std::string_view text, const char* rule) {
  throw Error(ErrorCode::text_invalid, "id text " + quoted(text) + " of " + std::to_string(text.size()) +
                                           " characters: " + rule);
}

std::uint64_t from_decimal(std::string_view text) {
  constexpr const char* kRule = "a decimal id has 1 to 20 ASCII digits, no sign, blank, separator or leading zero";
  if (text.size() > kLongestDecimal || !ascii::is_canonical_decimal(text)) refuse(text, kRule);
  const auto id = ascii::decimal(text);
  if (!id) {
    throw Error(ErrorCode::id_out_of_range, "id " + quoted(text) + " is above 18446744073709551615 (2^64 - 1)");
  }
  return *id;
}

std::uint64_t from_hex(std::string_view text) {
  constexpr const char* kRule = "a hex id has exactly 16 lower-case hex digits";
  if (text.size() != kHexLength) refuse(text, kRule);
  std::uint64_t id = 0;
  for (const char c : text) {
    const std::size_t digit = std::string_view(kHexDigits, 16).find(c);
    if (digit == std::string_view::npos) refuse(text, kRule);
    id = id << 4 | digit;
  }
  return id;
}

std::string to_hex(std::uint64_t id) {
  std::string text(kHexLength, '0');
  for (std::size_t i = kHexLength; i-- > 0; id >>= 4) text[i] = kHexDigits[id & 15];
  return text;
}

[[noreturn]] void refuse_codec(std::string_view codec) {
  throw Error(ErrorCode::option_invalid, "unknown codec " + quoted(codec) + ": use \"decimal\" or \"hex\"");
}

}  // namespace

std::string to_text(std::uint64_t id, std::string_view codec) {
  if (codec == "decimal") return std::to_string(id);
  if (codec == "hex") return to_hex(id);
  refuse_codec(codec);
}

std::size_t write_decimal(std::uint64_t id, char* text) {
  return static_cast<std::size_t>(std::to_chars(text, text + kLongestDecimal, id).ptr - text);
}

std::uint64_t from_text(std::string_view text, std::string_view codec) {
  if (codec == "decimal") return from_decimal(text);
  if (codec == "hex") return from_hex(text);
  refuse_codec(codec);
}

}  // namespace polyflake
