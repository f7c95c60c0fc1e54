// What the parts of Generator share: claim.cpp, thread_reserve.cpp, wait.cpp, batch.cpp, generator.cpp.
#pragma once

#include <polyflake/claims.hpp>

#include <cstdint>

#include "base/nanoseconds.hpp"
#include "issue/thread_reserve.hpp"

namespace polyflake {

// What a closed generator issues from: an empty window, so that every call takes the slow path. Made by the first
// generator of the process, and never freed: calls may come at any time.
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

// Takes up to `most` positions of the current tick: at least one, and no more than what the tick has left / 2^share. None
// where the tick is used up, the clock is behind, or the window has to be moved on first.
Positions take_in_current_tick(const Pace& pace, Node& node, Grant& grant, std::uint64_t most, unsigned share = 0);

// What the calling thread has in reserve under this grant.
ThreadReserve& reserve_of_this_thread(const Grant& grant) noexcept;

// Takes up to `most` positions from that, if it is of the current tick; drops what is left of another tick. None in strict order.
Positions take_from_reserve(const Pace& pace, Node& node, Grant& grant, std::uint64_t most);

// For ids that are taken past the reserve: they would be below those.
void drop_reserve(const Pace& pace, Grant& grant);

// How far ahead of the clock a window may begin for its start to be waited for: its length and a tick, and a little, since a
// quarantine counts from the time of a file.
inline std::int64_t longest_start_ticks(const Grant& grant) { return grant.growth.start + 1; }

// Nothing was issued under the grant of a lease yet, which is empty until it begins: what keeps ids from coming is the store.
inline bool awaits_lease(const Grant& grant, std::uint64_t last) {
  return grant.growth.by_lease && last == grant.begin;
}

// Nothing was issued under the grant yet, and its window begins so soon that this is waited for.
bool begins_soon(const Pace& pace, const Node& node, const Grant& grant, std::uint64_t last, std::uint64_t now_tick);

// The earliest tick of the clock at which the position after `last` can be claimed.
std::uint64_t claimable_from(const Pace& pace, const Node& node, const Grant& grant, std::uint64_t last);

}  // namespace polyflake
