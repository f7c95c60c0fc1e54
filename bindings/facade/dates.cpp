#include "facade/dates.hpp"

#include <polyflake/error.hpp>

#include "count/counter_options.hpp"
#include "count/period.hpp"

namespace polyflake::facade {

DateNumbers::DateNumbers(const std::string& period, std::int64_t digits, const std::string& prefix)
    : numbers_(period, static_cast<std::uint64_t>(digits), prefix) {}

bool is_zone_name(const std::string& zone) {
  count::check_zone(zone);
  return count::is_zone_name(zone);
}

DatePeriod period_at(const std::string& period, const std::string& zone, std::int64_t unix_ms) {
  const DateNumbers numbers(period, 1, "");  // refuses other periods
  const auto found = count::periods_of({"date", numbers.period(), 1, zone})(unix_ms);
  if (!found) throw Error(ErrorCode::time_exhausted, "no period has this time");
  return {found->label, found->start_ms, found->end_ms};
}

}  // namespace polyflake::facade
