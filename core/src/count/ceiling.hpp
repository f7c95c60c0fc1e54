// The ceiling of a counter: the second line behind stores that lose what they acknowledged.
//
// At the store's time t the counter had not reached ceiling(t), in any record that ever existed:
// `base` never rises, and next + room never passes the ceiling. So a survivor that goes on at the
// ceiling is above all that was lost. Pure functions; sums in 128 bits.
#pragma once

#include <polyflake/counter_store.hpp>

#include <cstdint>
#include <optional>

namespace polyflake::count {

// Returns how many numbers the ceiling has risen at t_ms: since 1970, of a date since the beginning
// of its period; negative before that.
Wide growth(const Record& record, std::int64_t t_ms);

// Returns the first number that may not be given out at t_ms.
Wide ceiling(const Record& record, std::int64_t t_ms);

// Returns the base with which the ceiling is so far above `next` at t_ms.
Wide base_for(const Record& record, std::uint64_t above, std::int64_t t_ms);

// Returns the room of a record at t_ms: up to the ceiling and the top.
std::uint64_t room_at(const Record& record, std::int64_t t_ms);
// The same for a store that needs no ceiling: up to the top.
std::uint64_t room_to_top(const Record& record);

// Returns how many ms after t_ms the ceiling passes `next`.
std::int64_t ms_until_room(const Record& record, std::int64_t t_ms);

}  // namespace polyflake::count
