#include <polyflake/date_numbers.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/range_check.hpp"
#include "base/text_refusal.hpp"
#include "count/period.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kLongestPrefix = 16;

bool is_prefix(std::string_view text) {
  return text.size() <= kLongestPrefix && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || ascii::is_digit(c) || c == '_' || c == '-';
         });
}

std::uint64_t power_of_ten(std::uint64_t exponent) {
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

[[noreturn]] void refuse_option(const std::string& message) { throw Error(ErrorCode::option_invalid, message); }

}  // namespace

DateNumbers::DateNumbers(std::string period, std::uint64_t digits, std::string prefix)
    : period_(std::move(period)), digits_(digits), prefix_(std::move(prefix)), scale_(0) {
  if (!count::is_period_format(period_)) refuse_option("period is yyyyMMdd, yyyyMM or yyyy, not " + quoted(period_));
  in_range<std::uint64_t>("digits", digits_, 1, kMostDigits);
  if (!is_prefix(prefix_)) refuse_option("prefix is at most 16 of A-Z a-z 0-9 _ -, not " + quoted(prefix_));
  scale_ = power_of_ten(digits_);
}

std::uint64_t DateNumbers::number(const Parts& parts) const {
  if (!count::is_label(period_, parts.label)) {
    throw Error(ErrorCode::field_out_of_range, std::to_string(parts.label) + " is not a period of " + period_);
  }
  if (parts.count < 1 || parts.count > top()) {
    throw Error(ErrorCode::field_out_of_range, "the count of a period is 1 to " + std::to_string(top()) + ", not " +
                                                   std::to_string(parts.count) + ": it never carries into the date");
  }
  return parts.label * scale_ + parts.count;
}

DateNumbers::Parts DateNumbers::parts(std::uint64_t number) const {
  const Parts parts{number / scale_, number % scale_};
  this->number(parts);
  return parts;
}

std::string DateNumbers::text(std::uint64_t number) const {
  parts(number);
  return prefix_ + std::to_string(number);
}

std::uint64_t DateNumbers::parse(std::string_view text) const {
  const TextRefusal refusal("date", text);
  const std::size_t length = prefix_.size() + period_.size() + digits_;
  const auto differs = std::mismatch(prefix_.begin(), prefix_.end(), text.begin(), text.end()).first;
  if (differs != prefix_.end()) {
    refusal.at(static_cast<std::size_t>(differs - prefix_.begin()),
               "the text begins with the prefix " + quoted(prefix_));
  }
  const auto wrong = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(prefix_.size()), text.end(),
                                      [](char c) { return ascii::is_digit(c); });
  const auto position = static_cast<std::size_t>(wrong - text.begin());
  if (position < std::min(length, text.size()) || text.size() != length) {
    refusal.at(std::min(position, length),
               "after the prefix the text has " + std::to_string(length - prefix_.size()) + " digits");
  }
  // No year begins with 0, and such a number is not decimal text.
  const auto number_read = ascii::decimal(text.substr(prefix_.size()));
  if (!number_read || !count::is_label(period_, *number_read / scale_)) {
    refusal.at(prefix_.size(), "the text has a period of " + period_);
  }
  const Parts parts{*number_read / scale_, *number_read % scale_};
  if (parts.count == 0) refusal.at(length - 1, "the count of a period is at least 1");
  return number(parts);
}

}  // namespace polyflake
