#include <polyflake/instant.hpp>

#include "base/ascii.hpp"
#include "bits/calendar.hpp"

namespace polyflake {
namespace {

bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 'd' ? !ascii::is_digit(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

bool has_a_shape(std::string_view text) {
  for (const std::string_view shape : {"dddd-dd-dd", "dddd-dd-ddTdd:dd:ddZ", "dddd-dd-ddTdd:dd:dd.dZ",
                                       "dddd-dd-ddTdd:dd:dd.ddZ", "dddd-dd-ddTdd:dd:dd.dddZ"}) {
    if (has_shape(text, shape)) return true;
  }
  return false;
}

// Writes exactly `width` digits.
void write_digits(char* out, std::int64_t value, int width) {
  for (int i = width; i-- > 0; value /= 10) out[i] = static_cast<char>('0' + value % 10);
}

// Appends date and time without the zone. Adds days and ms apart, since the sum of a time and an
// offset may pass 2^63 ms.
void append_wall(std::string& text, std::int64_t unix_ms, std::int64_t offset_ms) {
  std::int64_t days = unix_ms / calendar::kMsPerDay;
  std::int64_t ms = unix_ms % calendar::kMsPerDay + offset_ms;
  if (ms < 0) {
    --days;
    ms += calendar::kMsPerDay;
  } else if (ms >= calendar::kMsPerDay) {
    ++days;
    ms -= calendar::kMsPerDay;
  }
  const calendar::Date date = calendar::date_of(days);
  constexpr std::string_view kForm = "0000-00-00T00:00:00.000";
  constexpr std::size_t kYear = 4;
  char wall[kForm.size()];
  kForm.copy(wall, kForm.size());
  const bool short_year = date.year <= 9999;
  if (short_year) write_digits(wall, date.year, kYear);
  write_digits(wall + 5, date.month, 2);
  write_digits(wall + 8, date.day, 2);
  write_digits(wall + 11, ms / 3'600'000, 2);
  write_digits(wall + 14, ms / 60'000 % 60, 2);
  write_digits(wall + 17, ms / 1000 % 60, 2);
  write_digits(wall + 20, ms % 1000, 3);
  if (!short_year) text += '+' + std::to_string(date.year);
  const std::size_t from = short_year ? 0 : kYear;
  text.append(wall + from, kForm.size() - from);
}

}  // namespace

std::optional<std::int64_t> parse_utc(std::string_view text) {
  if (!has_a_shape(text)) return std::nullopt;
  // Returns the number that begins at an index, with 0 for digits beyond the end.
  const auto number = [text](std::size_t from, std::size_t count) {
    std::int64_t value = 0;
    for (std::size_t i = from; i < from + count; ++i) {
      value = value * 10 + (i < text.size() && ascii::is_digit(text[i]) ? text[i] - '0' : 0);
    }
    return value;
  };
  const std::int64_t year = number(0, 4), month = number(5, 2), day = number(8, 2);
  const std::int64_t hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  const bool real = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= calendar::days_in(year, month) &&
                    hour < 24 && minute < 60 && second < 60;
  if (!real) return std::nullopt;
  const std::int64_t days = calendar::days_before(year, month) + (day - 1);
  return days * calendar::kMsPerDay + ((hour * 60 + minute) * 60 + second) * 1000 + number(20, 3);
}

void append_utc(std::string& text, std::int64_t unix_ms) {
  append_wall(text, unix_ms, 0);
  text += 'Z';
}

void append_local(std::string& text, std::int64_t unix_ms, std::int64_t utc_offset_seconds) {
  append_wall(text, unix_ms, utc_offset_seconds * 1000);
  text += utc_offset_seconds < 0 ? '-' : '+';
  const std::int64_t minutes = (utc_offset_seconds < 0 ? -utc_offset_seconds : utc_offset_seconds) / 60;
  char zone[] = "00:00";
  write_digits(zone, minutes / 60, 2);
  write_digits(zone + 3, minutes % 60, 2);
  text += zone;
}

std::string to_utc(std::int64_t unix_ms) {
  std::string text;
  append_utc(text, unix_ms);
  return text;
}

}  // namespace polyflake
