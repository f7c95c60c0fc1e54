#include "open/counter.hpp"

#include <utility>

#include "base/range_check.hpp"
#include "count/counter_options.hpp"
#include "os/os.hpp"

namespace polyflake::count {

std::string own_label() { return platform::owner_label(); }

CounterUse checked(CounterUse use) {
  constexpr std::int64_t kLongestMs = INT32_MAX;
  check_name(use.options.name);
  in_range<std::int64_t>("timeout_ms", use.options.timeout_ms, 1, kLongestMs);
  if (use.shape.kind == "date") check_zone(use.shape.zone);
  return use;
}

Counter::Counter(const CounterUse& use, const std::optional<Word>& uuid, std::string shown)
    : use_(checked(use)),
      uuid_(uuid),
      shown_(std::move(shown)),
      made_ms_(lease::system_time().mono_ms),
      held_(std::make_unique<HeldNumbers>(use_, uuid_, shown_).release()) {}

Counter::~Counter() {
  const HeldNumbers* const held = held_.load(std::memory_order_acquire);
  if (held->of_this_execution()) delete held;
}

Action Counter::next() {
  HeldNumbers& held = this->held();
  was_open_ = was_open_ || held.is_open();
  const auto failure = held.failure();
  const bool may_come = failure && failure->code == ErrorCode::store_unavailable &&
                        lease::system_time().mono_ms - made_ms_ < use_.options.timeout_ms;
  if (was_open_ || !failure || may_come) return held.next();
  Action done;
  done.kind = Action::Kind::done;
  return done;
}

void Counter::begin_anew() {
  if (of_this_execution()) return;
  held_.store(std::make_unique<HeldNumbers>(use_, uuid_, shown_).release(), std::memory_order_release);
}

}  // namespace polyflake::count
