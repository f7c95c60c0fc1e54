// Hashids: a list of ids as one short text, for existing texts of Hashids (hashids.org). For new
// texts use sqids.hpp.
//
// It hides nothing: the salt is not a key, and some ids with their texts are enough to find it. For
// private ids see seal.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// A value: copies are allowed, and threads may share it.
// Source: the algorithm of Hashids (hashids.org), in JavaScript since version 0.3; older versions
// had another.
class Hashids {
 public:
  static constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890";
  static constexpr std::size_t kMostIds = 1024;  // in a text

  // All three are part of the format: read a text with the parameters that wrote it. `salt`: UTF-8,
  // any text; characters beyond the alphabet's length are ignored. `min_length`: 0 to 1024
  // characters; shorter texts are filled up to it. `alphabet`: 16 to 95 printable ASCII characters,
  // each once.
  // Errors: option_invalid.
  explicit Hashids(std::string_view salt = "", std::int64_t min_length = 0, std::string_view alphabet = kAlphabet);

  // Returns the text of the ids; "" for no ids. Errors: option_invalid (more than kMostIds).
  std::string encode(const std::vector<std::uint64_t>& ids) const;
  std::string encode(std::initializer_list<std::uint64_t> ids) const;
  std::string encode(std::uint64_t id) const;

  // Returns the ids of a text from `encode`; refuses any other text.
  // Errors, each with a position: text_invalid; id_out_of_range (2^64 or more). The position is the
  // first character that differs from the text of the ids that were read, so mostly 0.
  std::vector<std::uint64_t> decode(std::string_view text) const;

  const std::string& alphabet() const { return alphabet_; }
  int min_length() const { return static_cast<int>(min_length_); }

 private:
  std::string encode(const std::uint64_t* ids, std::size_t count) const;
  void fill_up(std::string& text, std::string& digits, std::uint64_t sum) const;
  void shuffle_digits(std::string& digits, char lottery) const;
  std::string_view without_filling(std::string_view text) const;

  std::string alphabet_;
  std::vector<std::uint32_t> salt_;  // code points
  std::size_t min_length_;
  std::string digits_, separators_, guards_;  // the alphabet is split into these three
};

}  // namespace polyflake
