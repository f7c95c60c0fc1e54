#include "count/period.hpp"

#include <algorithm>
#include <cstddef>
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

// Returns the first time at which a clock of the zone shows this local time or a later one. Nothing
// if an offset is unknown.
std::optional<std::int64_t> first_time_at(const OffsetAt& offset_at, std::int64_t local_ms) {
  const auto before = offset_at(local_ms - calendar::kMsPerDay);
  if (!before) return std::nullopt;
  std::int64_t late_ms = local_ms - *before;
  const auto then = offset_at(late_ms);
  if (!then || *then == *before) return then ? std::optional(late_ms) : std::nullopt;
  std::int64_t early_ms = local_ms - *then;
  const auto there = offset_at(early_ms);
  if (!there || *there == *then) return there ? std::optional(early_ms) : std::nullopt;
  // The clock skips the time: it is set forward after `early_ms`, at `late_ms` at the latest.
  while (late_ms - early_ms > 1) {
    const std::int64_t middle_ms = early_ms + (late_ms - early_ms) / 2;
    const auto offset = offset_at(middle_ms);
    if (!offset) return std::nullopt;
    (middle_ms + *offset >= local_ms ? late_ms : early_ms) = middle_ms;
  }
  return late_ms;
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

bool is_zone_name(std::string_view zone) {
  constexpr std::size_t kLongest = 64;
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (zone == "localtime" || zone == "posixrules") return false;  // those of each host
  return zone.size() >= 2 && zone.size() <= kLongest && is_letter(zone.front()) &&
         std::all_of(zone.begin(), zone.end(), [&](char c) {
           return is_letter(c) || ascii::is_digit(c) || c == '/' || c == '_' || c == '+' || c == '-';
         });
}

std::optional<Period> period_in(std::string_view format, const OffsetAt& offset_at, std::int64_t unix_ms) {
  const auto offset = offset_at(unix_ms);
  if (!offset || !period_at(format, *offset, unix_ms)) return std::nullopt;
  auto local = period_at(format, 0, unix_ms + *offset);
  auto end_ms = first_time_at(offset_at, local->end_ms);
  if (end_ms && *end_ms <= unix_ms) {  // the clock was set back after the next period had begun
    local = period_at(format, 0, local->end_ms);
    end_ms = local ? first_time_at(offset_at, local->end_ms) : std::nullopt;
  }
  const auto start_ms = end_ms ? first_time_at(offset_at, local->start_ms) : std::nullopt;
  if (!start_ms) return std::nullopt;
  return Period{local->label, *start_ms, *end_ms};
}

}  // namespace polyflake::count
