// Sqids: a list of ids as one short text, for people and URLs (sqids.org), over all 64 bits.
//
// It hides nothing: the alphabet is enough to read the ids, and some ids with their texts are
// enough to find the alphabet. For private ids see seal.hpp. A text does not sort like its ids;
// codec.hpp has texts that do. For texts that Hashids wrote there is hashids.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

namespace detail {
class Blocklist;
}

// All three are part of the format: read a text with the options that wrote it.
struct SqidsOptions {
  // 3 to 95 printable ASCII characters, each once. Their order is part of the format too.
  std::string alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  // 0 to 255 characters; shorter texts are filled up to it.
  std::int64_t min_length = 0;
  // Words that no text contains, in any letter case; nullopt: Sqids::default_blocklist(). Words of
  // less than 3 characters, and words that the alphabet cannot write, have no effect. A word of 3
  // characters blocks the text equal to it; a word with a digit blocks texts that begin or end with
  // it; any other word blocks texts that contain it. Words may be added at any time: older texts
  // are still read. If a word is removed, the texts that were written instead of it become
  // unreadable.
  std::optional<std::vector<std::string>> blocklist;
};

// A value: copies are allowed, and threads may share it.
// Source: the specification of Sqids (github.com/sqids/sqids-spec).
class Sqids {
 public:
  static constexpr std::size_t kMostIds = 1024;  // in a text; the specification has no limit

  // Errors: option_invalid.
  explicit Sqids(const SqidsOptions& options = {});

  // Returns the text of the ids; "" for no ids.
  // Errors: option_invalid (more than kMostIds; or the blocklist blocks every text of these ids,
  // one for each character of the alphabet: choose other options).
  std::string encode(const std::vector<std::uint64_t>& ids) const;
  std::string encode(std::initializer_list<std::uint64_t> ids) const;
  std::string encode(std::uint64_t id) const;

  // Returns the ids of a text from `encode`, also of one written before words were added to the
  // blocklist. Refuses any other text of these ids. So it finds nearly every mistyped character,
  // since the first character depends on all ids.
  // Errors, each with a position: text_invalid; id_out_of_range (2^64 or more). The position is the
  // first character that differs from the text of the ids that were read, so mostly 0.
  std::vector<std::uint64_t> decode(std::string_view text) const;

  const std::string& alphabet() const { return alphabet_; }
  int min_length() const { return static_cast<int>(min_length_); }

  // Returns the words of the specification, to which words can be added.
  static std::vector<std::string> default_blocklist();

 private:
  std::string encode(const std::uint64_t* ids, std::size_t count) const;
  std::size_t first_offset(const std::uint64_t* ids, std::size_t count) const;
  std::string text_at(std::size_t offset, const std::uint64_t* ids, std::size_t count) const;
  std::string letters_at(std::size_t offset) const;

  std::string alphabet_;
  std::string shuffled_;
  std::size_t min_length_;
  std::shared_ptr<const detail::Blocklist> blocklist_;
};

}  // namespace polyflake
