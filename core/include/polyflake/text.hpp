// A single id as text, by the name of a codec; codec.hpp has codecs as objects, for many ids or another width.
//
// The built-in integer parsers of Python, JavaScript and Java disagree on blanks, signs, underscores and
// non-ASCII digits; ids never go through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/codec.hpp>

namespace polyflake {

// Errors: option_invalid (unknown codec).
std::string to_text(std::uint64_t id, std::string_view codec = "decimal");

// Writes the decimal text, up to 20 characters without an end mark, and returns its length.
constexpr std::size_t kLongestDecimal = 20;
std::size_t write_decimal(std::uint64_t id, char* text);

// Errors: option_invalid (unknown codec), text_invalid, id_out_of_range (2^64 or more).
std::uint64_t from_text(std::string_view text, std::string_view codec = "decimal");

}  // namespace polyflake
