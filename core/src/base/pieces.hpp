// The pieces of a list that is one text.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// Returns the pieces between separators. No piece follows a separator at the end.
inline std::vector<std::string> pieces_of(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

}  // namespace polyflake
