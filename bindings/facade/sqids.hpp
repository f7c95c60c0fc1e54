// Sqids: lists of ids as texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <polyflake/sqids.hpp>

namespace polyflake::facade {

std::string sqids_alphabet();  // the default
std::vector<std::string> default_blocklist();

class Sqids {
 public:
  // blocklist: the words if `own_blocklist`, else ignored for the default ones.
  // Errors: option_invalid.
  Sqids(const std::string& alphabet, std::int64_t min_length, bool own_blocklist,
        const std::vector<std::string>& blocklist);

  // Returns the text of the ids. Errors: option_invalid (too many ids, every text is blocked).
  std::string encode(const std::vector<std::uint64_t>& ids) const;
  // Returns the ids of a text. Errors: text_invalid, id_out_of_range.
  std::vector<std::uint64_t> decode(const std::string& text) const;

  std::string alphabet() const;
  int min_length() const;

 private:
  polyflake::Sqids sqids_;
};

}  // namespace polyflake::facade
