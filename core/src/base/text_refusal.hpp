// Refuses a text that the caller gave, with the position at fault: one sentence for all parsers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <polyflake/error.hpp>

namespace polyflake {

class TextRefusal {
 public:
  // Requires: `kind` and `text` live as long as this object.
  TextRefusal(const char* kind, std::string_view text) : kind_(kind), text_(text) {}

  std::string_view text() const { return text_; }

  [[noreturn]] void at(std::size_t position, const std::string& rule, ErrorCode code = ErrorCode::text_invalid) const;

  // Errors: id_out_of_range.
  [[noreturn]] void above_the_greatest(std::size_t position) const;

 private:
  const char* kind_;
  std::string_view text_;
};

}  // namespace polyflake
