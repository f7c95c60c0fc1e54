// The heads of a counter: what each write of a head makes of a record. Pure functions; the
// sender of the write adds fresh nonces.
//
// t_ms is always the store's time, as a reply gave it.
#pragma once

#include <polyflake/counter_store.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "count/period.hpp"

namespace polyflake::count {

// Returns true if the ceiling rules: acknowledged writes may be lost, and the store has a clock.
bool has_ceiling(const Head& head, const Contents& contents);

// Lets the room reach the ceiling of t_ms. The room never falls, and `base` never rises.
Record topped_up(Record record, std::int64_t t_ms);

// Goes on above all that a store of another incarnation may have given out: at the ceiling of
// t_ms + 2 * tolerance_ms. No room is left: the next one is topped up.
Record jumped(Record record, std::int64_t t_ms, std::int64_t tolerance_ms, const std::string& incarnation);

// Returns true if a jump must wait: its period ends too soon, or the store's clock is behind the
// last top-up.
bool must_wait_to_jump(const Record& record, std::int64_t t_ms, std::int64_t tolerance_ms);

// Begins a period at 1. other_incarnation: the store may have lost numbers of this very period, so
// the ceiling counts from its beginning and the room is 0; the jump comes next.
Record with_period(Record record, const Period& period, std::int64_t t_ms, bool ceiling, bool other_incarnation);

// Sets a new or known counter: an operator vouches that no number above `after` was or will be
// given out. period: of a date. t_ms: 0 if the store has no clock.
Record set_by_operator(Record record, std::uint64_t after, const std::optional<Period>& period, std::int64_t t_ms,
                       bool ceiling, const std::string& incarnation);

}  // namespace polyflake::count
