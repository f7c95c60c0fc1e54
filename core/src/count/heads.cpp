#include "count/heads.hpp"

#include <algorithm>

#include "count/ceiling.hpp"
#include "count/rules.hpp"

namespace polyflake::count {
namespace {

constexpr std::int64_t kNoEndMs = std::int64_t{1} << 53;

void set_period(Record& record, const std::optional<Period>& period) {
  record.head.period_label = period ? period->label : 0;
  record.head.period_start_ms = period ? period->start_ms : 0;
  record.until_ms = period ? period->end_ms : kNoEndMs;
}

}  // namespace

bool has_ceiling(const Head& head, const Contents& contents) {
  return contents.may_fail_over && contents.store_ms && head.failover != "trust";
}

Record topped_up(Record record, std::int64_t t_ms) {
  // Numbers that were given back may leave more room than the burst: that stays below the ceiling.
  const std::uint64_t above = std::max(record.head.burst, record.room);
  record.head.base = std::min(record.head.base, base_for(record, above, t_ms));
  record.head.topped_up_ms = std::max(record.head.topped_up_ms, t_ms);
  record.room = std::max(record.room, room_at(record, t_ms));
  return record;
}

Record jumped(Record record, std::int64_t t_ms, std::int64_t tolerance_ms, const std::string& incarnation) {
  const std::int64_t later_ms = keeps(Rule::jump_later) ? 2 * tolerance_ms : 0;
  const Wide end = std::min(ceiling(record, t_ms + later_ms), Wide{record.head.top} + 1);
  if (keeps(Rule::jump_to_ceiling)) record.next = static_cast<std::uint64_t>(std::max(Wide{record.next}, end));
  if (!keeps(Rule::base_never_rises)) record.head.base = base_for(record, record.head.burst, t_ms);
  record.room = 0;
  record.incarnation = incarnation;
  return record;
}

bool must_wait_to_jump(const Record& record, std::int64_t t_ms, std::int64_t tolerance_ms) {
  const bool at_end = t_ms + 2 * tolerance_ms >= record.until_ms;
  const bool early = t_ms < record.head.topped_up_ms;
  return (at_end && keeps(Rule::no_jump_at_end)) || (early && keeps(Rule::no_jump_before_top_up));
}

Record with_period(Record record, const Period& period, std::int64_t t_ms, bool ceiling, bool other_incarnation) {
  set_period(record, period);
  record.next = 1;
  record.head.base = base_for(record, record.head.burst, other_incarnation ? period.start_ms : t_ms);
  record.head.topped_up_ms = t_ms;
  record.room = !ceiling ? room_to_top(record) : other_incarnation ? 0 : room_at(record, t_ms);
  return record;
}

Record set_by_operator(Record record, std::uint64_t after, const std::optional<Period>& period, std::int64_t t_ms,
                       bool ceiling, const std::string& incarnation) {
  set_period(record, period);
  record.next = after + 1;
  record.head.base = base_for(record, record.head.burst, t_ms);
  record.head.topped_up_ms = t_ms;
  record.room = ceiling ? room_at(record, t_ms) : room_to_top(record);
  record.incarnation = incarnation;
  return record;
}

}  // namespace polyflake::count
