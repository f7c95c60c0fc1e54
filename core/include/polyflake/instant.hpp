// Instants as text: RFC 3339, of 1970 or later. Layouts have their epochs in it, and the command line all its times.
//
//   2026-01-01T00:00:00.000Z      2026-01-01T01:00:00.000+01:00
//
// For ids as text with their time in front there is friendly.hpp.
// Pure functions: no clock, no state, no time zones; who knows a zone gives the offset. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

// Unix ms of a date, 2026-01-01, or of a time in UTC, 2026-01-01T00:00:00Z, with up to three decimals of the second.
// Nothing for every other text, and where there is no such day, hour, minute or second.
std::optional<std::int64_t> parse_utc(std::string_view text);

// Appends the instant with three decimals. A year above 9999 has a + in front and all its digits.
// Requires: unix_ms >= 0.
void append_utc(std::string& text, std::int64_t unix_ms);

// The same on the clocks of a zone, and the offset in hours and minutes.
// Requires: unix_ms >= 0; an offset of less than a day, east of Greenwich positive.
void append_local(std::string& text, std::int64_t unix_ms, std::int64_t utc_offset_seconds);

// append_utc() to an empty text.
std::string to_utc(std::int64_t unix_ms);

}  // namespace polyflake
