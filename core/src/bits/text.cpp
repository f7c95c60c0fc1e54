#include <polyflake/text.hpp>

#include <charconv>

namespace polyflake {

std::string to_text(std::uint64_t id, std::string_view codec) { return Codec::named(codec).encode(id); }

std::size_t write_decimal(std::uint64_t id, char* text) {
  return static_cast<std::size_t>(std::to_chars(text, text + kLongestDecimal, id).ptr - text);
}

std::uint64_t from_text(std::string_view text, std::string_view codec) { return Codec::named(codec).decode(text); }

}  // namespace polyflake
