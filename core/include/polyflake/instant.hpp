// Instants as text: RFC 3339, from 1970 on. Layouts use it for their epochs, the command line for
// all times.
//
//   2026-01-01T00:00:00.000Z      2026-01-01T01:00:00.000+01:00
//
// For ids as text that starts with their time there is friendly.hpp.
// Pure functions: no clock, no state, no time zones; the caller gives the offset of a zone. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

// Returns the Unix ms of a date, 2026-01-01, or of a time in UTC, 2026-01-01T00:00:00Z, with up to
// three decimals of the second. Nothing for any other text, or if that day, hour, minute or second
// does not exist.
std::optional<std::int64_t> parse_utc(std::string_view text);

// Appends the instant with three decimals. A year above 9999 has a + in front and all its digits.
// Requires: unix_ms >= 0.
void append_utc(std::string& text, std::int64_t unix_ms);

// Appends the local time of a zone, and its offset in hours and minutes.
// Requires: unix_ms >= 0; an offset of less than a day, east of Greenwich positive.
void append_local(std::string& text, std::int64_t unix_ms, std::int64_t utc_offset_seconds);

// Returns the text that append_utc() appends.
std::string to_utc(std::int64_t unix_ms);

}  // namespace polyflake
