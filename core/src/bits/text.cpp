#include <polyflake/text.hpp>

#include <polyflake/error.hpp>

#include <charconv>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr std::size_t kHexLength = 16;

[[noreturn]] void refuse(std::string_view text, const char* rule) {
  throw Error(ErrorCode::text_invalid,
              "id text " + quoted(text) + " of " + std::to_string(text.size()) + " characters: " + rule);
}

std::string to_decimal(std::uint64_t id) { return std::to_string(id); }

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

struct Codec {
  const char* name;
  std::string (*encode)(std::uint64_t id);
  std::uint64_t (*decode)(std::string_view text);
};

constexpr Codec kCodecs[] = {
    {"decimal", to_decimal, from_decimal},
    {"hex", to_hex, from_hex},
};

const Codec& codec_of(std::string_view name) {
  for (const Codec& codec : kCodecs) {
    if (name == codec.name) return codec;
  }
  std::string known;
  for (const Codec& codec : kCodecs) known += std::string(known.empty() ? "" : ", ") + codec.name;
  throw Error(ErrorCode::option_invalid, "unknown codec " + quoted(name) + ": use one of " + known);
}

}  // namespace

std::vector<std::string> codec_names() {
  std::vector<std::string> names;
  for (const Codec& codec : kCodecs) names.emplace_back(codec.name);
  return names;
}

std::string to_text(std::uint64_t id, std::string_view codec) { return codec_of(codec).encode(id); }

std::size_t write_decimal(std::uint64_t id, char* text) {
  return static_cast<std::size_t>(std::to_chars(text, text + kLongestDecimal, id).ptr - text);
}

std::uint64_t from_text(std::string_view text, std::string_view codec) { return codec_of(codec).decode(text); }

}  // namespace polyflake
