// Ordering::per_thread: ids from a thread's reserve.
#include "issue/thread_reserve.hpp"

#include <algorithm>

#include "issue/issuing.hpp"

namespace polyflake {
namespace {

// Several, so that a thread which uses a few generators in turn keeps one for each.
constexpr std::uint64_t kReserves = 4;

// Local to this file, so that no other copy of the library in the process can share it.
inline ThreadReserve& reserve_of(const Grant& grant) noexcept {
  static thread_local ThreadReserve reserves[kReserves];
  return reserves[grant.serial % kReserves];
}

// Returns the positions left of the current tick. Returns 0 if ids of a later tick exist, issued
// ahead of the clock or before it was set back: ticks must rise between threads, too.
inline std::uint64_t left_now(const ThreadReserve& reserve, const Node& node, const Grant& grant) {
  const std::uint64_t left = reserve.left(grant.serial);
  if (left == 0 || reserve.spoiled()) return 0;
  const std::uint64_t tick = node.tick_of(reserve.next());
  // Relaxed: it is enough to see the positions of calls that returned before this one began.
  const bool newest = node.tick_of(grant.last.load(std::memory_order_relaxed)) == tick;
  return newest && tick == static_cast<std::uint64_t>(node.now()) ? left : 0;
}

// Drops the rest. The dropped positions do not count as issued.
void drop_rest(ThreadReserve& reserve, Grant& grant) {
  const std::uint64_t left = reserve.left(grant.serial);
  if (left != 0) grant.skipped.fetch_add(left, std::memory_order_relaxed);
  reserve.drop();
}

bool refill(ThreadReserve& reserve, const Pace& pace, Node& node, Grant& grant) {
  constexpr std::uint64_t kLongest = 256;  // longer reserves save nothing more
  // A 64th of the positions left in the tick, so that many threads find some, too.
  constexpr unsigned kShare = 6;
  drop_rest(reserve, grant);
  const Positions taken = take_in_current_tick(pace, node, grant, kLongest, kShare);
  if (taken.count != 0) reserve.refill(taken.first, taken.first + taken.count);
  return taken.count != 0;
}

}  // namespace

ThreadReserve& reserve_of_this_thread(const Grant& grant) noexcept { return reserve_of(grant); }

std::int64_t Generator::claim_from_reserve() {
  Node& node = *node_.load(std::memory_order_acquire);
  Grant& grant = *node.grant();
  ThreadReserve& reserve = reserve_of(grant);
  const ThreadReserve::Hold held(reserve);
  if (!held) return claim_in_current_tick();  // inside of another call of this thread
  if (left_now(reserve, node, grant) == 0) {
    // Only from the second id on: otherwise a thread that uses more generators in turn than there
    // are reserves would fill one for each id.
    if (!reserve.is_of(grant.serial)) {
      reserve.turn_to(grant.serial);
      return claim_in_current_tick();
    }
    if (!refill(reserve, pace_, node, grant)) return -1;
  }
  const std::uint64_t id = node.id_of(reserve.next());
  reserve.use(1);
  return grant.of_this_execution() ? static_cast<std::int64_t>(id) : -1;
}

Positions take_from_reserve(const Pace& pace, Node& node, Grant& grant, std::uint64_t most) {
  if (pace.ordering == Ordering::strict) return {0, 0};
  ThreadReserve& reserve = reserve_of(grant);
  const ThreadReserve::Hold held(reserve);
  if (!held) return {0, 0};
  const Positions taken = {reserve.next(), std::min(most, left_now(reserve, node, grant))};
  if (taken.count == 0) {
    drop_rest(reserve, grant);
  } else {
    reserve.use(taken.count);
  }
  return taken;
}

void drop_reserve(const Pace& pace, Grant& grant) {
  if (pace.ordering == Ordering::strict) return;
  ThreadReserve& reserve = reserve_of(grant);
  // If another call of the thread holds the reserve, that call drops the rest.
  if (const ThreadReserve::Hold held(reserve); held) drop_rest(reserve, grant);
}

}  // namespace polyflake
