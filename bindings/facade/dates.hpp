// Dates: the numbers of counters of dates, their periods and their zones.
#pragma once

#include <cstdint>
#include <string>

#include <polyflake/date_numbers.hpp>

namespace polyflake::facade {

// The numbers of dates and their texts, as polyflake::DateNumbers. Errors: as those.
class DateNumbers {
 public:
  // digits: of the count within a period.
  DateNumbers(const std::string& period, std::int64_t digits, const std::string& prefix);

  const std::string& period() const { return numbers_.period(); }
  std::int64_t digits() const { return static_cast<std::int64_t>(numbers_.digits()); }
  const std::string& prefix() const { return numbers_.prefix(); }
  std::uint64_t number(std::uint64_t label, std::uint64_t count) const { return numbers_.number({label, count}); }
  // The label of the period, and the count.
  std::uint64_t label_of(std::uint64_t number) const { return numbers_.parts(number).label; }
  std::uint64_t count_of(std::uint64_t number) const { return numbers_.parts(number).count; }
  std::string text(std::uint64_t number) const { return numbers_.text(number); }
  std::uint64_t parse(const std::string& text) const { return numbers_.parse(text); }

 private:
  polyflake::DateNumbers numbers_;
};

// Refuses what is neither an offset, "+08:00", nor may be the name of a zone. Returns true for a
// name: the language must know that zone. Errors: option_invalid.
bool is_zone_name(const std::string& zone);

// A period in the zone of an offset. Errors: option_invalid, time_exhausted (no period has it).
struct DatePeriod {
  std::uint64_t label;
  std::int64_t start_ms;  // Unix ms
  std::int64_t end_ms;
};
DatePeriod period_at(const std::string& period, const std::string& zone, std::int64_t unix_ms);

}  // namespace polyflake::facade
