// Words that no text of Sqids may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// The words of the specification, one blank after each.
extern const char* const kDefaultBlocklist;

namespace detail {

class Blocklist {
 public:
  // Keeps what can stand in a text of the alphabet.
  Blocklist(const std::vector<std::string>& words, std::string_view alphabet);

  bool blocks(std::string_view text) const;

 private:
  struct Word {
    std::uint32_t begin;  // its first four characters, by which words are sorted; three in a word of three
    bool at_ends_only;
    std::string letters;  // in lower case
  };

  std::vector<Word> words_;
};

}  // namespace detail
}  // namespace polyflake
