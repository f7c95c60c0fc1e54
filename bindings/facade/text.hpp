// Ids as text.
#pragma once

#include <cstdint>
#include <string>

#include <polyflake/text.hpp>

namespace polyflake::facade {

// codec: one of polyflake::codec_names().
// Errors: option_invalid (unknown codec), text_invalid, id_out_of_range (decimal >= 2^64).
std::string to_text(std::uint64_t id, const std::string& codec);
std::uint64_t from_text(const std::string& text, const std::string& codec);

#if !defined(SWIG)
// The decimal text where it is wanted: up to kLongestDecimal characters, no end mark; returns the length.
using polyflake::kLongestDecimal;
using polyflake::write_decimal;
#endif

}  // namespace polyflake::facade
