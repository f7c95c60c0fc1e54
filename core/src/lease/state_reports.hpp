// Lines for the log of an application: what became of a lease.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lease/held_node_id.hpp"

namespace polyflake::lease {

// Not thread safe: the runner's own.
class StateReports {
 public:
  struct Line {
    bool is_fault;
    std::string text;
  };

  static constexpr std::int64_t kPauseMs = 10'000;
  static constexpr std::int64_t kStepMs = 100;

  // Returns the line that is due, if the state is not the one of the last line. There is at most
  // one line in kPauseMs, so that a store which comes and goes does not fill a log; a state that
  // lasts is always told. Until the first window nothing is told: opening raises its errors. A
  // clock of this host that went back by kStepMs or more has a line, too.
  std::optional<Line> next(const LeaseStatus& status, Time now);

 private:
  enum class State { renewed, failing, lost };

  std::optional<Line> next_state(const LeaseStatus& status);
  std::int64_t steps_back_ms(Time now);

  State told_ = State::renewed;
  std::optional<std::int64_t> told_at_ms_;
  std::optional<std::int64_t> wall_ahead_ms_;  // of the monotonic clock
  bool suspects_step_ = false;
};

}  // namespace polyflake::lease
