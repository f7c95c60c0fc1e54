// Shared parts of Generator: claim.cpp, thread_reserve.cpp, wait.cpp, batch.cpp, generator.cpp.
#pragma once

#include <polyflake/claims.hpp>

#include <cstdint>

#include "base/nanoseconds.hpp"
#include "issue/thread_reserve.hpp"

namespace polyflake {

// Returns the node of closed generators: its window is empty, so that every call takes the slow
// path. The first generator of the process makes it. It is never freed, since calls may come at any
// time.
Node& closed_node();

[[noreturn]] void refuse_closed();
[[noreturn]] void refuse_late(const Node& node);
// tick: of the next position.
[[noreturn]] void refuse_clock_behind(const Pace& pace, Node& node, const Grant& grant, std::uint64_t tick);

// Neighbouring positions of one tick.
struct Positions {
  std::uint64_t first;
  std::uint64_t count;  // 0: none
};

inline IdRange range_of(const Node& node, Positions positions, bool ready) {
  return {node.id_of(positions.first), node.id_step(), static_cast<std::size_t>(positions.count), ready};
}

// Takes at most `most` positions of the current tick: at least one, and no more than the tick's
// remaining positions / 2^share. Returns none if the tick is used up, the clock is behind, or the
// window must be moved on first.
Positions take_in_current_tick(const Pace& pace, Node& node, Grant& grant, std::uint64_t most, unsigned share = 0);

// Returns the calling thread's reserve under this grant.
ThreadReserve& reserve_of_this_thread(const Grant& grant) noexcept;

// Takes at most `most` positions from that reserve if it is of the current tick; drops the rest of
// any other tick. Returns none in strict order.
Positions take_from_reserve(const Pace& pace, Node& node, Grant& grant, std::uint64_t most);

// Drops the reserve for ids that bypass it: the ids left in it would be lower than those.
void drop_reserve(const Pace& pace, Grant& grant);

// Returns how far ahead of the clock a window may begin if a call is to wait for its start: its
// length and a tick, plus a little, since a quarantine counts from the time of a file.
inline std::int64_t longest_start_ticks(const Grant& grant) { return grant.growth.start + 1; }

// Returns true if nothing was issued yet under the grant of a lease. The grant is empty until it
// begins, so the store is what delays ids.
inline bool awaits_lease(const Grant& grant, std::uint64_t last) {
  return grant.growth.by_lease && last == grant.begin;
}

// Returns true if nothing was issued yet under the grant, and its window begins so soon that calls
// wait for it.
bool begins_soon(const Pace& pace, const Node& node, const Grant& grant, std::uint64_t last, std::uint64_t now_tick);

// Returns the earliest tick of the clock at which the position after `last` can be claimed.
std::uint64_t claimable_from(const Pace& pace, const Node& node, const Grant& grant, std::uint64_t last);

}  // namespace polyflake
