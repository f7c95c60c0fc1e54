// DateNumbers: the numbers of a counter of dates, made of the label of a period and a count, and
// their texts.
//
//   label 20230414, count 1, 6 digits    ->  20230414000001, printed "ORD20230414000001"
//
// Pure functions. DateIds issues such numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polyflake {

// Thread safety: any thread.
class DateNumbers {
 public:
  static constexpr std::uint64_t kMostDigits = 10;

  // period: "yyyyMMdd", "yyyyMM" or "yyyy"; digits: of the count, 1 to 10; prefix: of the texts,
  // [A-Za-z0-9_-]{0,16}. Errors: option_invalid.
  explicit DateNumbers(std::string period = "yyyyMMdd", std::uint64_t digits = 6, std::string prefix = "");

  struct Parts {
    std::uint64_t label;  // of the period, such as 20230414, 202304 or 2023; 1970 to 9999
    std::uint64_t count;  // 1 to top()
  };

  const std::string& period() const { return period_; }
  std::uint64_t digits() const { return digits_; }
  const std::string& prefix() const { return prefix_; }
  // Returns the last count of a period: 10^digits - 1.
  std::uint64_t top() const { return scale_ - 1; }

  // Returns the number of these parts, 1 to 2^63 - 1; and the parts and the text of a number.
  // Errors: field_out_of_range if the label is not of this period, or the count is not 1 to top():
  // it never carries into the date.
  std::uint64_t number(const Parts& parts) const;
  Parts parts(std::uint64_t number) const;
  std::string text(std::uint64_t number) const;

  // Returns the number of a text, with its prefix. Errors: text_invalid.
  std::uint64_t parse(std::string_view text) const;

 private:
  std::string period_;
  std::uint64_t digits_;
  std::string prefix_;
  std::uint64_t scale_;  // 10^digits
};

}  // namespace polyflake
