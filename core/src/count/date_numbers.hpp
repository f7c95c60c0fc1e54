// The numbers of dates, made of the label of a period and a count, and their texts.
//
//   label 20230414, count 1, 6 digits    ->  20230414000001, printed "ORD20230414000001"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polyflake::count {

std::uint64_t power_of_ten(std::uint64_t exponent);  // at most 19

class DateNumbers {
 public:
  static constexpr std::uint64_t kMostDigits = 10;

  // Errors: option_invalid if digits are not 1 to 10, the format is none of the three, or the
  // prefix is not [A-Za-z0-9_-]{0,16}.
  DateNumbers(std::string format, std::uint64_t digits, std::string prefix);

  struct Parts {
    std::uint64_t label;
    std::uint64_t count;
  };

  // Returns the last count of a period: 10^digits - 1.
  std::uint64_t top() const { return scale_ - 1; }
  // Errors (of both): field_out_of_range if the label is not of this format, or the count is not 1
  // to top(): it never carries into the date.
  std::uint64_t number(const Parts& parts) const;
  std::string text(std::uint64_t number) const;
  // Errors: field_out_of_range, if no such number was ever made.
  Parts parts(std::uint64_t number) const;
  // Reads a printed number, with its prefix. Errors: text_invalid.
  std::uint64_t parse(std::string_view text) const;

 private:
  std::string format_;
  std::uint64_t digits_;
  std::string prefix_;
  std::uint64_t scale_;  // 10^digits
};

}  // namespace polyflake::count
