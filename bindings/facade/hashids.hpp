// Hashids: lists of ids as texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/hashids.hpp>

namespace polyflake::facade {

std::string hashids_alphabet();  // the default

class Hashids {
 public:
  // salt: UTF-8.
  // Errors: option_invalid.
  Hashids(const std::string& salt, std::int64_t min_length, const std::string& alphabet);

  // Returns the text of the ids. Errors: option_invalid (too many ids).
  std::string encode(const std::vector<std::uint64_t>& ids) const;
  // Returns the ids of a text. Errors: text_invalid, id_out_of_range.
  std::vector<std::uint64_t> decode(const std::string& text) const;

  std::string alphabet() const;
  int min_length() const;

 private:
  polyflake::Hashids hashids_;
};

}  // namespace polyflake::facade
