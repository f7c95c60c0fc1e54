// CounterState: a counter of a store as operators see it. From counters() of counters.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace polyflake {

struct CounterState {
  std::string name;
  std::string kind;        // "segment" or "date"
  std::uint64_t next = 0;  // the next number; of a date its count within the period
  // The numbers that can be taken before the record is written again.
  std::uint64_t room = 0;
  std::uint64_t top = 0;  // the last number
  std::string failover;   // "jump", "stop" or "trust"
  // The time since the room was last topped up, by the store's clock; nothing if that is not
  // needed.
  std::optional<std::int64_t> top_up_age_ms;
  std::string incarnation;  // of the store that the record belongs to
  // True if the store has another incarnation now, or the record was put back or edited by hand:
  // the next process that takes numbers jumps, refuses or goes on, as `failover` says.
  bool incarnation_changed = false;
  // The number at which the counter would go on after a failover now; nothing if it would not jump,
  // because of its store or its options, or because its period ends first.
  std::optional<std::uint64_t> jump_to;
  // These four belong to a date; nothing for a segment.
  std::optional<std::string> period;  // "yyyyMMdd", "yyyyMM" or "yyyy"
  std::optional<std::uint32_t> digits;
  std::optional<std::string> zone;
  std::optional<std::uint32_t> period_label;  // the recorded period, such as 20230414

  // Calls take(name, value) for each member in this order. For code that writes or reads them; all
  // languages take names and order from here.
  template <class Take>
  void each(Take take) const {
    each_of(*this, take);
  }
  template <class Take>
  void each(Take take) {
    each_of(*this, take);
  }

 private:
  template <class State, class Take>
  static void each_of(State& state, Take& take) {
    take("name", state.name);
    take("kind", state.kind);
    take("next", state.next);
    take("room", state.room);
    take("top", state.top);
    take("failover", state.failover);
    take("top_up_age_ms", state.top_up_age_ms);
    take("incarnation", state.incarnation);
    take("incarnation_changed", state.incarnation_changed);
    take("jump_to", state.jump_to);
    take("period", state.period);
    take("digits", state.digits);
    take("zone", state.zone);
    take("period_label", state.period_label);
  }
};

}  // namespace polyflake
