// Codecs: ids as short, strict text that sorts like the number.
//
// For URLs, JSON, logs and support tickets. A codec reads exactly the texts it writes: ASCII only,
// with length and overflow checked before it returns anything. Codecs hide nothing: any reader of a
// text can read the id's time; seal.hpp hides it. For a single id at its codec's own width there is
// text.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

namespace detail {
struct CodecRow;  // of the table of codecs
}

struct CodecOptions {
  // Characters of every text, without the check symbol: 1 to Codec::full_width, the length of 2^64
  // - 1. 0: as few as the id needs, without leading zeros. Texts of one width sort like their ids.
  std::optional<std::int64_t> width;  // nullopt: the codec's own, see Codec::named
  // A check symbol at the end, which detects every wrong character and every swap of neighbours.
  // Only crockford32 has one.
  bool check = false;
};

// A value: copies are allowed, and threads may share it.
class Codec {
 public:
  // | name          | digits                                    | width of its own |
  // | decimal       | 0-9                                       | 0 (20 sorts)     |
  // | hex           | 0-9a-f                                    | 16               |
  // | crockford32   | 0-9A-Z without I L O U; reads any case, I and L as 1, O as 0 | 13 |
  // | base36        | 0-9a-z                                    | 13               |
  // | base58        | 1-9A-Za-z without I O l (Bitcoin)         | 11               |
  // | base62        | 0-9A-Za-z                                 | 11               |
  // | zbase32       | ybndrfg8ejkmcpqxot1uwisza345h769; does not sort  | 0 (bwmarrin/snowflake) |
  // | base58-flickr | 1-9a-zA-Z without l I O; does not sort           | 0 (bwmarrin/snowflake) |
  //
  // Errors: option_invalid (unknown name; a width or a check symbol that the codec does not have).
  // Source of crockford32 and its check symbol: Douglas Crockford, Base 32.
  static Codec named(std::string_view name, const CodecOptions& options = {});

  // Returns the id's text. Errors: id_out_of_range (an id that needs more than `width` characters).
  std::string encode(std::uint64_t id) const;

  // The same into the caller's memory, without a terminating NUL. Returns the length, at most
  // kLongest.
  static constexpr std::size_t kLongest = 20;
  std::size_t encode(std::uint64_t id, char* text) const;

  // Returns the id. Errors, each with the position of the wrong character: text_invalid;
  // id_out_of_range (2^64 or more).
  std::uint64_t decode(std::string_view text) const;

  const char* name() const;
  std::string_view digits() const;  // in the order of their values
  int width() const { return width_; }
  bool check() const { return check_; }
  int full_width() const;  // characters of 2^64 - 1

 private:
  Codec(const detail::CodecRow& row, int width, bool check) : row_(&row), width_(width), check_(check) {}
  std::size_t encode_narrow(std::uint64_t id, char* text) const;

  const detail::CodecRow* row_;
  int width_;
  bool check_;
};

// Returns the names of all codecs, in the order of their table.
std::vector<std::string> codec_names();

}  // namespace polyflake
