#include "base/text_refusal.hpp"

#include <algorithm>

namespace polyflake {
namespace {

// Of UTF-8; what is none has some number of them, too.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void TextRefusal::at(std::size_t position, const std::string& rule, ErrorCode code) const {
  throw Error(code,
              std::string(kind_) + " text " + quoted(text_) + " of " + std::to_string(characters(text_)) +
                  " characters, at position " + std::to_string(position) + ": " + rule,
              position);
}

void TextRefusal::above_the_greatest(std::size_t position) const {
  at(position, "it is above 2^64 - 1", ErrorCode::id_out_of_range);
}

}  // namespace polyflake
