// Ids as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/text.hpp>

namespace polyflake::facade {

// Convert between ids and text. codec: one of polyflake::codec_names().
// Errors: option_invalid (unknown codec), text_invalid, id_out_of_range (decimal >= 2^64).
std::string to_text(std::uint64_t id, const std::string& codec);
std::uint64_t from_text(const std::string& text, const std::string& codec);

// As polyflake::id_from_text().
std::uint64_t id_from_text(const std::string& text);

#if !defined(SWIG)
// Returns the known name that a misspelled one most likely means, "" if none is close.
std::string closest(const std::string& given, const std::vector<std::string>& known);

// Writes the decimal text into given memory: up to kLongestDecimal characters, no end mark. Returns
// its length.
using polyflake::kLongestDecimal;
using polyflake::write_decimal;
#endif

}  // namespace polyflake::facade
