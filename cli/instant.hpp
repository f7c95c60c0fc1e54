// Times and lengths of time as people give them to commands. Pure functions, except for the local
// zone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <polyflake/instant.hpp>

namespace polyflake::cli {

// Returns the Unix ms of 2026-01-01, 2026-01-01T00:00:00Z (also with one to three decimals) or Unix
// ms. Errors: option_invalid, with `name` for the text.
std::int64_t parse_instant(std::string_view name, std::string_view text);

// append_local() for the local zone. Remembers days without a change of the clocks.
class LocalTime {
 public:
  void append(std::string& text, std::int64_t unix_ms);
  static std::string zone_name(std::int64_t unix_ms);

 private:
  std::int64_t east_s(std::int64_t unix_s);

  struct Day {
    std::int64_t number = -1;  // since 1970
    std::int64_t east_s = 0;
  };
  std::vector<Day> days_;  // by the low bits of their numbers
};

// Returns a length of time in its two largest units: "6 years 308 days", "3 h 12 min", "1.250 s",
// "12 ms".
std::string duration(std::uint64_t ms);

// Returns "6 years 308 days ago", "in 3 h 12 min" or "now".
std::string relative(std::int64_t unix_ms, std::int64_t now_ms);

}  // namespace polyflake::cli
