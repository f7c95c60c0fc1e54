// The words of a server, for messages.
#pragma once

#include <string>
#include <string_view>

namespace polyflake {

// Returns the first 200 characters, with '?' for each that is not printable ASCII.
inline std::string server_words(std::string_view text) {
  constexpr std::size_t kLongestShown = 200;
  std::string shown(text.substr(0, kLongestShown));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return shown;
}

}  // namespace polyflake
