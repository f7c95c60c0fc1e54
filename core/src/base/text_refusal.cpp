#include "base/text_refusal.hpp"

#include "base/message.hpp"

namespace polyflake {

void TextRefusal::at(std::size_t position, const std::string& rule, ErrorCode code) const {
  throw Error(code,
              std::string(kind_) + " text " + (is_shown(text_) ? quoted(text_) + " " : "") + "of " +
                  std::to_string(characters(text_)) + " characters, at position " + std::to_string(position) + ": " +
                  rule,
              position);
}

void TextRefusal::above_the_greatest(std::size_t position) const {
  at(position, "it is above 2^64 - 1", ErrorCode::id_out_of_range);
}

}  // namespace polyflake
