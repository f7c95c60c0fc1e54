// Ids as text: strict, canonical codecs, the same in every language.
//
// The built-in integer parsers of Python, JavaScript and Java disagree on blanks, signs, underscores and
// non-ASCII digits; ids never go through them. Each codec reads exactly what it prints, ASCII only, and
// checks the length before anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// Names of all codecs, in the order of their table, such as "decimal" (1 to 20 digits, no leading zero) and "hex" (exactly
// 16 lower-case digits). All of them: docs/bit-layout.md.
std::vector<std::string> codec_names();

// Errors: option_invalid (unknown codec).
std::string to_text(std::uint64_t id, std::string_view codec = "decimal");

// Writes the decimal text, up to 20 characters without an end mark, and returns its length.
constexpr std::size_t kLongestDecimal = 20;
std::size_t write_decimal(std::uint64_t id, char* text);

// Errors: option_invalid (unknown codec), text_invalid, id_out_of_range (a decimal of 2^64 or more).
std::uint64_t from_text(std::string_view text, std::string_view codec = "decimal");

}  // namespace polyflake
