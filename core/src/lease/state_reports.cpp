#include "lease/state_reports.hpp"

#include <utility>

namespace polyflake::lease {

std::optional<StateReports::Line> StateReports::next(const LeaseStatus& status, Time now) {
  if (status.confirmations.load(std::memory_order_acquire) == 0) return std::nullopt;
  if (told_at_ms_ && now.mono_ms - *told_at_ms_ < kPauseMs) return std::nullopt;
  auto line = next_state(status);
  if (!line) {
    if (const std::int64_t ms = steps_back_ms(now); ms > 0)
      line = Line{true, status.keeper() + ": the clock of this host went back by " + std::to_string(ms) + " ms"};
  }
  if (line) told_at_ms_ = now.mono_ms;
  return line;
}

// Returns by how many ms the clock went back, or 0. Two readings in a row must agree: a thread that
// is suspended between reading its two clocks sees a step that was none.
std::int64_t StateReports::steps_back_ms(Time now) {
  const std::int64_t ahead_ms = now.wall_ms - now.mono_ms;
  const std::int64_t back_ms = wall_ahead_ms_.value_or(ahead_ms) - ahead_ms;
  const bool suspects = back_ms >= kStepMs;
  if (suspects && !std::exchange(suspects_step_, true)) return 0;
  suspects_step_ = false;
  wall_ahead_ms_ = ahead_ms;
  return suspects ? back_ms : 0;
}

std::optional<StateReports::Line> StateReports::next_state(const LeaseStatus& status) {
  const bool fails = status.failing.load(std::memory_order_relaxed);
  const bool ended = status.ended.load(std::memory_order_acquire);
  const State state = ended ? State::lost : fails ? State::failing : State::renewed;
  if (state == told_) return std::nullopt;
  told_ = state;
  switch (state) {
    case State::failing: return Line{true, status.failure().message + ". Ids go on until the window ends"};
    case State::lost: return Line{true, status.failure().message};
    case State::renewed: break;
  }
  return Line{false, status.keeper() + ": the store confirms windows again"};
}

}  // namespace polyflake::lease
