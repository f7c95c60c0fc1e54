#include "utf8.hpp"

#include <cstddef>

namespace polyflake::cli {
namespace {

// Returns the length in bytes of the character that begins with this byte; 0 if none does.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

// Source: RFC 3629: no form longer than needed, no half of a surrogate pair, nothing above
// U+10FFFF.
bool is_second(unsigned char first, unsigned char second) {
  const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

}  // namespace

bool is_whole_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = length_by(byte(0));
    if (length == 0 || length > text.size()) return false;
    if (length > 1 && !is_second(byte(0), byte(1))) return false;
    for (std::size_t i = 2; i < length; ++i) {
      if ((byte(i) & 0xc0) != 0x80) return false;
    }
    if (text.substr(0, length) == "\xef\xbf\xbd") return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace polyflake::cli
