// The proleptic Gregorian calendar, from the year 1 on.
#pragma once

#include <cstdint>

namespace polyflake::calendar {

constexpr std::int64_t kMsPerDay = 86'400'000;

constexpr bool is_leap(std::int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

constexpr std::int64_t days_in(std::int64_t year, std::int64_t month) {
  constexpr std::int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Returns the days from 1970-01-01 to the first day of this month.
constexpr std::int64_t days_before(std::int64_t year, std::int64_t month) {
  const std::int64_t y = year - 1;  // whole years before this one, counted from year 1
  std::int64_t days = y * 365 + y / 4 - y / 100 + y / 400 - 719'162;
  for (std::int64_t m = 1; m < month; ++m) days += days_in(year, m);
  return days;
}

struct Date {
  std::int64_t year;
  std::int64_t month;
  std::int64_t day;
};

// Returns the date `days` days after 1970-01-01.
constexpr Date date_of(std::int64_t days) {
  constexpr std::int64_t kDaysIn400Years = 146'097;
  std::int64_t year = (days + 719'162) * 400 / kDaysIn400Years + 1;  // right, or off by one
  while (days_before(year, 1) > days) --year;
  while (days_before(year + 1, 1) <= days) ++year;
  std::int64_t of_year = days - days_before(year, 1);
  std::int64_t month = 1;
  for (; of_year >= days_in(year, month); ++month) of_year -= days_in(year, month);
  return {year, month, of_year + 1};
}

}  // namespace polyflake::calendar
