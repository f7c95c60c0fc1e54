// Friendly forms: an id as text that people read: local time, node fields, sequence.
//
//   20220320133617924-5-0      2022-03-20 13:36:17.924, worker 5, sequence 0
//
// For logs, support tickets and file names. The text contains exactly the id: with its layout and
// the offset from UTC it reads back. Texts of one layout and offset sort by time up to the year
// 9999. For URLs and JSON there is codec.hpp.
// Pure functions: no clock, no state, no time zones; the caller gives the offset of a zone. Any
// thread.
#pragma once

#include <polyflake/layout.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// Offsets from UTC are in seconds, since some zones of the 20th century have seconds; east of
// Greenwich is positive. Range: -18 hours to 18 hours. Errors: option_invalid.
constexpr std::int64_t kLargestUtcOffset = 64'800;

// Returns the beginning of the id's tick as yyyyMMddHHmmssSSS, then the node fields, most
// significant first, then the sequence: joined by '-', decimal, without leading zeros. A year above
// 9999 has all its digits.
// Errors: id_out_of_range, option_invalid. Source of the form: CosId.
std::string friendly(const Layout& layout, std::uint64_t id, std::int64_t utc_offset_seconds = 0);

// Returns the id that friendly() gave this text.
// Errors, each with the position of the fault: text_invalid (another spelling, no real date, a time
// that does not begin a tick of the layout); field_out_of_range (a time or a number that the layout
// does not have). Without a position: option_invalid.
std::uint64_t from_friendly(const Layout& layout, std::string_view text, std::int64_t utc_offset_seconds = 0);

// For texts in a named zone. friendly_local_seconds() returns the text's local time, in whole
// seconds since 1970-01-01 00:00 there. The caller's calendar then gives the offsets of that time:
// one, none if the clocks skip it, two if they are set back. from_friendly_of_zone() reads the text
// if there is exactly one offset. It refuses other counts, since no guess would read back every id.
// Errors: as from_friendly(); text_invalid at position 0 if there is not exactly one offset.
std::int64_t friendly_local_seconds(const Layout& layout, std::string_view text);
std::uint64_t from_friendly_of_zone(const Layout& layout, std::string_view text,
                                    const std::vector<std::int64_t>& utc_offsets);

}  // namespace polyflake
