// Lists of ids, alphabets and faults by chance, the same in each run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "expect_error.hpp"

namespace polyflake::test {

class SomeIds {
 public:
  explicit SomeIds(unsigned seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t end) { return engine_() % end; }

  // Small ones as often as large ones.
  std::uint64_t id() { return engine_() >> below(64); }

  // At least one, at most `most`.
  std::vector<std::uint64_t> list(std::size_t most) {
    std::vector<std::uint64_t> ids(1 + below(most));
    for (std::uint64_t& one : ids) one = id();
    return ids;
  }

  // At least `fewest` characters.
  std::string alphabet(std::size_t fewest) {
    std::string all;
    for (char c = ' '; c <= '~'; ++c) all += c;
    std::shuffle(all.begin(), all.end(), engine_);
    return all.substr(0, fewest + below(all.size() - fewest + 1));
  }

  // Replaces, removes or doubles one character.
  void change(std::string& text, std::string_view alphabet) {
    const std::size_t at = below(text.size());
    const std::uint64_t how = below(4);
    if (how == 0) {
      text.erase(at, 1);
    } else if (how == 1) {
      text.insert(at, 1, text[at]);
    } else {
      text[at] = alphabet[below(alphabet.size())];
    }
  }

 private:
  std::mt19937_64 engine_;
};

// Texts with a fault have other ids, or none.
template <class Texts>
void expect_no_other_text(const Texts& texts, std::string_view alphabet, SomeIds& some) {
  for (int round = 0; round < 30000; ++round) {
    std::string text = texts.encode(some.list(3));
    some.change(text, alphabet);
    std::vector<std::uint64_t> ids;
    const std::string failure = error_of([&] { ids = texts.decode(text); });
    if (failure == "none") {
      EXPECT_EQ(texts.encode(ids), text);
    } else {
      EXPECT_TRUE(code_in(failure) == "text_invalid" || code_in(failure) == "id_out_of_range") << failure;
    }
  }
}

}  // namespace polyflake::test
