#include "instant.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include "system.hpp"

namespace polyflake::cli {

std::int64_t parse_instant(std::string_view name, std::string_view text) {
  if (const auto unix_ms = parse_utc(text)) return *unix_ms;
  try {
    const std::uint64_t ms = from_text(text);
    if (ms <= INT64_MAX) return static_cast<std::int64_t>(ms);
  } catch (const Error&) {
    // falls through to the description of a time
  }
  throw Error(ErrorCode::option_invalid, std::string(name) +
                                             " is a date or time in UTC of 1970 or later, such as 2026-01-01 or "
                                             "2026-01-01T12:00:00Z, or Unix milliseconds, not " +
                                             quoted(text));
}

namespace {

// Whole minutes, as shown: then local time and offset give the same instant.
std::int64_t look_up_east_s(std::int64_t unix_s) { return system::zone_at(unix_s).east_s / 60 * 60; }

}  // namespace

std::int64_t LocalTime::east_s(std::int64_t unix_s) {
  constexpr std::int64_t kDay = 86'400;
  // A power of two, and more than a layout's years have.
  constexpr std::size_t kDays = 1 << 15;
  if (unix_s < 0) return look_up_east_s(unix_s);
  if (days_.empty()) days_.resize(kDays);
  const std::int64_t number = unix_s / kDay;
  Day& day = days_[static_cast<std::size_t>(number) % kDays];
  if (day.number == number) return day.east_s;
  const std::int64_t east_s = look_up_east_s(number * kDay);
  if (look_up_east_s(number * kDay + kDay - 1) != east_s) return look_up_east_s(unix_s);
  day = {number, east_s};
  return east_s;
}

void LocalTime::append(std::string& text, std::int64_t unix_ms) { append_local(text, unix_ms, east_s(unix_ms / 1000)); }

std::string LocalTime::zone_name(std::int64_t unix_ms) { return system::zone_at(unix_ms / 1000).name; }

std::string duration(std::uint64_t ms) {
  struct Unit {
    const char* one;
    const char* many;
    std::uint64_t ms;
  };
  constexpr Unit kUnits[] = {{"year", "years", 31'556'952'000},  // 365.2425 days
                             {"day", "days", 86'400'000},
                             {"h", "h", 3'600'000},
                             {"min", "min", 60'000},
                             {"s", "s", 1000}};
  constexpr std::size_t kSeconds = 4;
  const auto counted = [](const Unit& unit, std::uint64_t count) {
    return std::to_string(count) + " " + (count == 1 ? unit.one : unit.many);
  };
  for (std::size_t i = 0; i < kSeconds; ++i) {
    if (ms < kUnits[i].ms) continue;
    const std::uint64_t rest = ms % kUnits[i].ms / kUnits[i + 1].ms;
    // Not yet 365.2425.
    if (i == 0 && rest == 365) return counted(kUnits[i], ms / kUnits[i].ms + 1);
    return counted(kUnits[i], ms / kUnits[i].ms) + (rest == 0 ? "" : " " + counted(kUnits[i + 1], rest));
  }
  if (ms < 1000) return std::to_string(ms) + " ms";
  const std::string decimals = std::to_string(1000 + ms % 1000).substr(1);
  return std::to_string(ms / 1000) + "." + decimals + " s";
}

std::string relative(std::int64_t unix_ms, std::int64_t now_ms) {
  if (unix_ms == now_ms) return "now";
  if (unix_ms < now_ms) return duration(static_cast<std::uint64_t>(now_ms - unix_ms)) + " ago";
  return "in " + duration(static_cast<std::uint64_t>(unix_ms - now_ms));
}

}  // namespace polyflake::cli
