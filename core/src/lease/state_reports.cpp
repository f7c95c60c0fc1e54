#include "lease/state_reports.hpp"

namespace polyflake::lease {

std::optional<StateReports::Line> StateReports::next(const LeaseStatus& status, std::int64_t mono_ms) {
  if (status.confirmations.load(std::memory_order_acquire) == 0) return std::nullopt;
  const bool fails = status.failing.load(std::memory_order_relaxed);
  const bool ended = status.ended.load(std::memory_order_acquire);
  const State state = ended ? State::lost : fails ? State::failing : State::renewed;
  if (state == told_ || (told_at_ms_ && mono_ms - *told_at_ms_ < kPauseMs)) return std::nullopt;
  told_ = state;
  told_at_ms_ = mono_ms;
  switch (state) {
    case State::failing: return Line{true, status.failure().message + ". Ids go on until the window ends"};
    case State::lost: return Line{true, status.failure().message};
    case State::renewed: break;
  }
  return Line{false, status.place() + ": the store confirms windows again"};
}

}  // namespace polyflake::lease
