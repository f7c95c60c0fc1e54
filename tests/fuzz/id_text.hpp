// Ids as text, for one codec: what parses prints back to the same text, and only that.
#pragma once

#include <polyflake/text.hpp>

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {

inline void hold_for_id_text(std::string_view text, std::string_view codec) {
  std::uint64_t id = 0;
  const bool read =
      accepts([&] { id = from_text(text, codec); }, {ErrorCode::text_invalid, ErrorCode::id_out_of_range});
  if (!read) return;
  hold(to_text(id, codec) == text, "an id prints back to its text");
  char written[kLongestDecimal];
  const std::size_t length = write_decimal(id, written);
  hold(std::string(written, length) == to_text(id, "decimal"), "both ways to print a decimal agree");
  hold(from_text(to_text(id, "hex"), "hex") == from_text(to_text(id, "decimal"), "decimal"), "codecs agree");
}

}  // namespace polyflake::fuzz
