// Codecs: ids as text, with options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/codec.hpp>

namespace polyflake::facade {

class Codec {
 public:
  // With the codec's own width, or a given one. Errors: option_invalid.
  Codec(const std::string& name, bool check);
  Codec(const std::string& name, std::int64_t width, bool check);

  // Returns the id's text. Errors: id_out_of_range (more than `width` characters).
  std::string encode(std::uint64_t id) const;
  // Returns the id. Errors: text_invalid, id_out_of_range.
  std::uint64_t decode(const std::string& text) const;

  // Return all of them, in their order. Errors: as for one; the message has the index of the first
  // refused one.
  std::vector<std::string> encode_many(const std::vector<std::uint64_t>& ids) const;
  std::vector<std::uint64_t> decode_many(const std::vector<std::string>& texts) const;

  std::string name() const;
  std::string digits() const;
  int width() const;
  bool check() const;

#if !defined(SWIG)
  // For bindings that write texts themselves.
  const polyflake::Codec& core() const { return codec_; }
  // Writes the text of ids[i], at most Codec::kLongest characters, and returns its length. Errors:
  // as encode_many().
  std::size_t encode_one_of(const std::vector<std::uint64_t>& ids, std::size_t i, char* text) const;
#endif

 private:
  polyflake::Codec codec_;
};

}  // namespace polyflake::facade
