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

// Returns true for what may be the name of a zone, "Europe/Berlin": only a language's library knows
// which zones there are.
bool is_zone_name(std::string_view zone);

// Returns the ms east of UTC that a zone has at a time, less than a day; nothing if that is
// unknown.
using OffsetAt = std::function<std::optional<std::int64_t>(std::int64_t unix_ms)>;

// Returns the period in a zone whose clocks are set forward and back, so that a day may have 23 or
// 25 h. A period begins when a clock of the zone first shows its first midnight, or a later time if
// it skips midnight; a clock that is then set back changes nothing. Returns nothing as period_at(),
// and if an offset is unknown. Requires: is_period_format(format); within two days of a boundary of
// periods the clocks are set at most once.
std::optional<Period> period_in(std::string_view format, const OffsetAt& offset_at, std::int64_t unix_ms);

}  // namespace polyflake::count
