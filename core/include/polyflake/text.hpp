// A single id as text, by the name of a codec. For many ids or another width, codec.hpp has codecs
// as objects.
//
// The built-in integer parsers of Python, JavaScript and Java disagree on blanks, signs,
// underscores and non-ASCII digits; ids never go through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <polyflake/codec.hpp>

namespace polyflake {

// Returns the id's text. Errors: option_invalid (unknown codec).
std::string to_text(std::uint64_t id, std::string_view codec = "decimal");

// Writes the decimal text, up to 20 characters without a terminating NUL. Returns its length.
constexpr std::size_t kLongestDecimal = 20;
std::size_t write_decimal(std::uint64_t id, char* text);

// Returns the id of a text. Errors: option_invalid (unknown codec), text_invalid, id_out_of_range
// (2^64 or more).
std::uint64_t from_text(std::string_view text, std::string_view codec = "decimal");

// Returns the id of a decimal text that a client sent, in a path or a body. Refuses 2^63 and above:
// no generated id is that large, and a signed column cannot hold it. Errors: text_invalid,
// id_out_of_range.
std::uint64_t id_from_text(std::string_view text);

}  // namespace polyflake
