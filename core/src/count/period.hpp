// Periods of dates: the days, months or years in which a counter begins again at 1.
//
// A period is that of the store's time, never of a process's own clock. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace polyflake::count {

struct Period {
  std::uint64_t label;    // such as 20230414, 202304 or 2023
  std::int64_t start_ms;  // Unix ms
  std::int64_t end_ms;
};

// Returns the period at a time; nothing outside the years 1970 to 9999. For names of zones it is a
// function of the language, which has their tables.
using PeriodOf = std::function<std::optional<Period>(std::int64_t unix_ms)>;

// Returns true for "yyyyMMdd", "yyyyMM" and "yyyy".
bool is_period_format(std::string_view format);

// Returns true if a period of this format has the label.
bool is_label(std::string_view format, std::uint64_t label);

// Returns the ms east of UTC of an offset, "+08:00" or "-03:30", of less than a day; nothing for
// any other text, which may be the name of a zone.
std::optional<std::int64_t> offset_of(std::string_view zone);

// Requires: is_period_format(format).
std::optional<Period> period_at(std::string_view format, std::int64_t offset_ms, std::int64_t unix_ms);

}  // namespace polyflake::count
