#include "configuration/named_sections.hpp"

#include <algorithm>
#include <cstddef>

namespace polyflake::server {

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kLongestName = 64;
  return !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  });
}

}  // namespace polyflake::server
