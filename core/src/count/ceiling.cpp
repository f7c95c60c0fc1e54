#include "count/ceiling.hpp"

#include <algorithm>

#include "count/rules.hpp"

namespace polyflake::count {
namespace {

// Growth is `rate` per span_ms from origin_ms on.
struct Slope {
  std::int64_t origin_ms;
  std::int64_t span_ms;
};

Slope slope_of(const Record& record) {
  constexpr std::int64_t kSecondMs = 1000;
  if (record.head.period_label == 0) return {0, kSecondMs};
  return {record.head.period_start_ms, record.until_ms - record.head.period_start_ms};
}

// Requires: d > 0.
Wide floor_of(Wide n, Wide d) { return n / d - (n % d < 0 ? 1 : 0); }
Wide ceil_of(Wide n, Wide d) { return -floor_of(-n, d); }

// Returns the first number that the counter does not have.
Wide end_of(const Record& record) {
  constexpr std::uint64_t kNone = std::uint64_t{1} << 62;
  return keeps(Rule::number_in_period) ? Wide{record.head.top} + 1 : Wide{kNone};
}

std::uint64_t room_below(Wide end, std::uint64_t next) {
  return static_cast<std::uint64_t>(std::max<Wide>(end - next, 0));
}

}  // namespace

Wide growth(const Record& record, std::int64_t t_ms) {
  const auto [origin_ms, span_ms] = slope_of(record);
  return floor_of((Wide{t_ms} - origin_ms) * record.head.rate, span_ms);
}

Wide ceiling(const Record& record, std::int64_t t_ms) { return record.head.base + growth(record, t_ms); }

Wide base_for(const Record& record, std::uint64_t above, std::int64_t t_ms) {
  return Wide{record.next} + above - growth(record, t_ms);
}

std::uint64_t room_at(const Record& record, std::int64_t t_ms) {
  const Wide limit = ceiling(record, t_ms) + (keeps(Rule::room_below_ceiling) ? 0 : 5);
  return room_below(std::min(limit, end_of(record)), record.next);
}

std::uint64_t room_to_top(const Record& record) { return room_below(end_of(record), record.next); }

std::int64_t ms_until_room(const Record& record, std::int64_t t_ms) {
  const auto [origin_ms, span_ms] = slope_of(record);
  const Wide least = Wide{record.next} + 1 - record.head.base;  // growth
  const Wide due_ms = origin_ms + ceil_of(least * span_ms, record.head.rate);
  return static_cast<std::int64_t>(std::clamp<Wide>(due_ms - t_ms, 0, INT64_MAX));
}

}  // namespace polyflake::count
