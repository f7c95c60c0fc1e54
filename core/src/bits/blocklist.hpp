// Words that a Sqids text must not contain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// The words of the specification, each followed by a blank.
extern const char* const kDefaultBlocklist;

namespace detail {

class Blocklist {
 public:
  // Keeps the words that can occur in a text of the alphabet.
  Blocklist(const std::vector<std::string>& words, std::string_view alphabet);

  // Returns true if the text contains a blocked word.
  bool blocks(std::string_view text) const;

 private:
  struct Word {
    // The first four characters, by which words are sorted; three in a word of three.
    std::uint32_t begin;
    bool at_ends_only;
    std::string letters;  // in lower case
  };

  std::vector<Word> words_;
};

}  // namespace detail
}  // namespace polyflake
