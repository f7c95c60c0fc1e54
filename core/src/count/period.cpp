#include "count/period.hpp"

#include <utility>

#include "base/ascii.hpp"
#include "bits/calendar.hpp"

namespace polyflake::count {
namespace {

constexpr std::int64_t kFirstYear = 1970, kLastYear = 9999;
constexpr std::int64_t kMsPerMinute = 60'000;
constexpr std::size_t kWithMonth = 6, kWithDay = 8;  // characters of a format

std::optional<std::int64_t> two_digits(std::string_view text) {
  if (!ascii::is_digit(text[0]) || !ascii::is_digit(text[1])) return std::nullopt;
  return (text[0] - '0') * 10 + (text[1] - '0');
}

std::uint64_t label_of(std::string_view format, const calendar::Date& date) {
  std::int64_t label = date.year;
  if (format.size() >= kWithMonth) label = label * 100 + date.month;
  if (format.size() >= kWithDay) label = label * 100 + date.day;
  return static_cast<std::uint64_t>(label);
}

// Returns the days from 1970-01-01 to the first day of the period, and to the first day after it.
std::pair<std::int64_t, std::int64_t> days_of(std::string_view format, std::int64_t day, const calendar::Date& date) {
  if (format.size() == kWithDay) return {day, day + 1};
  if (format.size() < kWithMonth) {
    return {calendar::days_before(date.year, 1), calendar::days_before(date.year + 1, 1)};
  }
  const std::int64_t first = calendar::days_before(date.year, date.month);
  return {first, first + calendar::days_in(date.year, date.month)};
}

}  // namespace

bool is_period_format(std::string_view format) {
  return format == "yyyyMMdd" || format == "yyyyMM" || format == "yyyy";
}

bool is_label(std::string_view format, std::uint64_t label) {
  if (label > 99'991'231) return false;
  const auto number = static_cast<std::int64_t>(label);
  const std::int64_t day = format.size() == kWithDay ? number % 100 : 1;
  const std::int64_t of_month = format.size() == kWithDay ? number / 100 : number;
  const std::int64_t month = format.size() >= kWithMonth ? of_month % 100 : 1;
  const std::int64_t year = format.size() >= kWithMonth ? of_month / 100 : of_month;
  return year >= kFirstYear && year <= kLastYear && month >= 1 && month <= 12 && day >= 1 &&
         day <= calendar::days_in(year, month);
}

std::optional<std::int64_t> offset_of(std::string_view zone) {
  constexpr std::int64_t kMostMinutes = 24 * 60 - 1;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  const auto hours = two_digits(zone.substr(1)), minutes = two_digits(zone.substr(4));
  if (!hours || !minutes || *minutes > 59) return std::nullopt;
  const std::int64_t east = *hours * 60 + *minutes;
  const bool negative_zero = zone[0] == '-' && east == 0;  // "+00:00" is its one spelling
  if (east > kMostMinutes || negative_zero) return std::nullopt;
  return east * kMsPerMinute * (zone[0] == '-' ? -1 : 1);
}

std::optional<Period> period_at(std::string_view format, std::int64_t offset_ms, std::int64_t unix_ms) {
  constexpr std::int64_t kFirstMs = calendar::days_before(kFirstYear, 1) * calendar::kMsPerDay;
  constexpr std::int64_t kEndMs = calendar::days_before(kLastYear + 1, 1) * calendar::kMsPerDay;
  if (unix_ms < kFirstMs - offset_ms || unix_ms >= kEndMs - offset_ms) return std::nullopt;
  const std::int64_t day = (unix_ms + offset_ms) / calendar::kMsPerDay;
  const calendar::Date date = calendar::date_of(day);
  const auto [first, end] = days_of(format, day, date);
  return Period{label_of(format, date), first * calendar::kMsPerDay - offset_ms, end * calendar::kMsPerDay - offset_ms};
}

}  // namespace polyflake::count
