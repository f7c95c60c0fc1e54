#include <polyflake/text.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <charconv>

#include "base/text_refusal.hpp"

namespace polyflake {

std::string to_text(std::uint64_t id, std::string_view codec) { return Codec::named(codec).encode(id); }

std::size_t write_decimal(std::uint64_t id, char* text) {
  return static_cast<std::size_t>(std::to_chars(text, text + kLongestDecimal, id).ptr - text);
}

std::uint64_t from_text(std::string_view text, std::string_view codec) { return Codec::named(codec).decode(text); }

std::uint64_t id_from_text(std::string_view text) {
  constexpr std::string_view kGreatest = "9223372036854775807";
  const std::uint64_t id = from_text(text);
  if (id >> 63 == 0) return id;
  const auto above = std::mismatch(kGreatest.begin(), kGreatest.end(), text.begin()).second;
  const std::size_t position =
      text.size() > kGreatest.size() ? kGreatest.size() : static_cast<std::size_t>(above - text.begin());
  TextRefusal("decimal", text)
      .at(position, "it is above 2^63 - 1, the greatest id of a generator", ErrorCode::id_out_of_range);
}

}  // namespace polyflake
