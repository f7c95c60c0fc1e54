#include "bits/blocklist.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace polyflake::detail {
namespace {

constexpr std::size_t kShortest = 3;
constexpr std::size_t kBegin = 4;

std::uint32_t begin_of(std::string_view letters) {
  std::uint32_t begin = 0;
  for (const char c : letters.substr(0, kBegin)) begin = begin << 8 | static_cast<unsigned char>(c);
  return begin;
}

bool has_digit(std::string_view letters) { return letters.find_first_of("0123456789") != std::string_view::npos; }

}  // namespace

Blocklist::Blocklist(const std::vector<std::string>& words, std::string_view alphabet) {
  const std::string writable = ascii::lower(alphabet);
  for (const std::string& word : words) {
    std::string letters = ascii::lower(word);
    if (letters.find_first_not_of(writable) != std::string::npos) continue;
    const std::uint32_t begin = begin_of(letters);
    const bool at_ends_only = has_digit(letters);
    words_.push_back({begin, at_ends_only, std::move(letters)});
  }
  std::sort(words_.begin(), words_.end(), [](const Word& a, const Word& b) { return a.begin < b.begin; });
}

bool Blocklist::blocks(std::string_view text) const {
  if (words_.empty() || text.size() < kShortest) return false;
  const std::string letters = ascii::lower(text);
  // Each index has a four-character beginning, so that shorter words match nowhere. But a text of
  // three has one index, for words of three.
  const std::size_t count = letters.size() <= kBegin ? 1 : letters.size() - kBegin + 1;
  for (std::size_t index = 0; index < count; ++index) {
    const std::string_view rest = std::string_view(letters).substr(index);
    const std::uint32_t begin = begin_of(rest);
    auto word = std::lower_bound(words_.begin(), words_.end(), begin,
                                 [](const Word& a, std::uint32_t b) { return a.begin < b; });
    for (; word != words_.end() && word->begin == begin; ++word) {
      const bool at_an_end = index == 0 || rest.size() == word->letters.size();
      if (rest.substr(0, word->letters.size()) == word->letters && (at_an_end || !word->at_ends_only)) return true;
    }
  }
  return false;
}

}  // namespace polyflake::detail
