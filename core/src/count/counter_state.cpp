#include "count/counter_state.hpp"

#include <algorithm>

#include "count/heads.hpp"

namespace polyflake::count {
namespace {

// A jump waits until the store's clock has reached the last top-up; at the end of a period the new
// one begins instead.
std::optional<std::uint64_t> jump_of(const Record& record, const Contents& contents) {
  if (record.head.failover != "jump") return std::nullopt;
  const std::int64_t tolerance_ms = std::clamp<std::int64_t>(contents.space->tolerance_ms, 0, INT32_MAX);
  const std::int64_t t_ms = std::max(*contents.store_ms, record.head.topped_up_ms);
  if (must_wait_to_jump(record, t_ms, tolerance_ms)) return std::nullopt;
  return jumped(record, t_ms, tolerance_ms, contents.incarnation).next;
}

}  // namespace

CounterState state_of(const std::string& name, const Contents& contents) {
  const Record& record = *contents.record;
  const Head& head = record.head;
  CounterState state;
  state.name = name;
  state.kind = head.kind;
  state.next = record.next;
  state.room = record.room;
  state.top = head.top;
  state.failover = head.failover;
  state.incarnation = record.incarnation;
  state.incarnation_changed = contents.put_back || record.incarnation != contents.incarnation;
  if (has_ceiling(head, contents)) {
    state.top_up_age_ms = std::max<std::int64_t>(*contents.store_ms - head.topped_up_ms, 0);
    state.jump_to = jump_of(record, contents);
  }
  if (head.kind == "date") {
    state.period = head.period;
    state.digits = static_cast<std::uint32_t>(head.digits);
    state.zone = head.zone;
    state.period_label = static_cast<std::uint32_t>(head.period_label);
  }
  return state;
}

}  // namespace polyflake::count
