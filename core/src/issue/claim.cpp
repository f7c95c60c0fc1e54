// Claims positions off the fast path: jumps to a new tick, windows that must grow, clocks that were
// set back.
#include <polyflake/error.hpp>

#include <algorithm>

#include "issue/counters.hpp"
#include "issue/current_tick.hpp"
#include "issue/issuing.hpp"
#include "issue/node_provider.hpp"
#include "issue/reservation.hpp"

namespace polyflake {
namespace {

// One call moves the window on a little before it ends, so that others need not wait for the flush.
bool nears_its_end(const Node& node, const Grant& grant, std::uint64_t tick) {
  const std::uint64_t margin = static_cast<std::uint64_t>(grant.growth.early);
  return margin != 0 && tick + margin >= grant.until.load(std::memory_order_relaxed) && !node.extending();
}

// seen: `clock_seen` before the clock was read, since another thread may have seen a later time
// meanwhile.
void note_step_back(Counters& counters, std::int64_t seen, std::int64_t now) {
  if (now >= seen) return;
  if (counters.step_counted_at.exchange(seen, std::memory_order_relaxed) != seen) {
    counters.steps_back.fetch_add(1, std::memory_order_relaxed);
  }
  std::int64_t largest = counters.largest_step_back.load(std::memory_order_relaxed);
  while (largest < seen - now &&
         !counters.largest_step_back.compare_exchange_weak(largest, seen - now, std::memory_order_relaxed)) {
  }
}

void note_wait(Node& node, std::uint64_t until_tick) {
  const std::int64_t ns = node.clock().ns_until(node.layout().time_of(until_tick));
  node.counters().waits.fetch_add(1, std::memory_order_relaxed);
  node.counters().waited_ns.fetch_add(static_cast<std::uint64_t>(ns), std::memory_order_relaxed);
}

// Returns the sequence with which a tick begins, after `last`. If it were always 0, every id of a
// quiet generator would be even, and shards chosen by id % n would starve. So the start is spread
// by a multiplicative hash of the tick; not after a busy tick, so that a saturated generator loses
// nothing. The key separates processes that have no node id.
// Source: Knuth, TAOCP 6.4.
std::uint64_t start_of(const Pace& pace, const Node& node, std::uint64_t tick, std::uint64_t last) {
  const bool after_busy_tick = node.tick_of(last) + 1 == tick && node.sequence_of(last) >= node.capacity() / 2;
  return after_busy_tick ? 0 : (((tick ^ node.random_key().key) * 0x9E3779B97F4A7C15) >> 32) * pace.spread >> 32;
}

// Moves `last` to the end of these positions, and counts the positions it jumps over as skipped.
// Returns false if `last` has changed; then reloads it.
bool take(Node& node, Grant& grant, std::uint64_t& last, Positions positions, std::uint64_t now_tick) {
  const std::uint64_t next = positions.first + positions.count - 1;
  const std::uint64_t gap = positions.first - last - 1;
  if (gap == 0) return grant.take(last, next);
  grant.skipped.fetch_add(gap, std::memory_order_relaxed);
  node.counters().clock_seen.store(static_cast<std::int64_t>(now_tick), std::memory_order_relaxed);
  if (grant.take(last, next)) return true;
  grant.skipped.fetch_sub(gap, std::memory_order_relaxed);
  return false;
}

// take_in_current_tick() for a tick that is known to be the current one and inside the window.
Positions take_in_tick(const Pace& pace, Node& node, Grant& grant, std::uint64_t tick, std::uint64_t most,
                       unsigned share) {
  std::uint64_t last = grant.last.load(std::memory_order_acquire);
  Positions positions;
  do {
    positions.first = last + 1;
    // `last` is of another tick, or this tick's last position.
    if (node.tick_of(positions.first) != tick) {
      if (positions.first > node.first_of(tick)) return {0, 0};  // used up, or the clock is behind
      positions.first = node.first_of(tick) + start_of(pace, node, tick, last);
    }
    const std::uint64_t left = node.capacity() - node.sequence_of(positions.first);
    positions.count = std::max<std::uint64_t>(std::min(most, left >> share), 1);
  } while (!take(node, grant, last, positions, tick));
  return positions;
}

// The positions that a call may claim next, judged by one reading of the clock.
struct Candidate {
  std::uint64_t first;  // the position
  std::uint64_t tick;   // of that position
  std::int64_t ahead;   // of the clock, in ticks
  bool carries;         // into the next tick, as all positions of the last one are used up
};

Candidate next_candidate(const Pace& pace, const Node& node, std::uint64_t last, std::uint64_t now_tick) {
  const bool jumps = now_tick > node.tick_of(last);
  const std::uint64_t first = jumps ? node.first_of(now_tick) + start_of(pace, node, now_tick, last) : last + 1;
  const std::uint64_t tick = node.tick_of(first);
  return {first, tick, static_cast<std::int64_t>(tick - now_tick), !jumps && node.sequence_of(first) == 0};
}

// Returns whether the window begins so soon that a call waits for it. Errors: clock_behind, unless
// it does, or its lease is not confirmed yet.
bool refuse_unless_awaited(const Pace& pace, Node& node, const Grant& grant, std::uint64_t last,
                           const Candidate& next) {
  const bool soon = begins_soon(pace, node, grant, last, next.tick - static_cast<std::uint64_t>(next.ahead));
  if (!soon && !awaits_lease(grant, last)) refuse_clock_behind(pace, node, grant, next.tick);
  return soon;
}

// The room that a window has for a tick.
enum class Room {
  enough,
  changed,  // the window may be longer now: judge again
  none,
};

// Extends a window that ends before `tick`, and renews one that nears its end, unless this call has
// `renewed` it already. Blocks: I/O. Errors: as Node::extend(); what refuse_late() says.
Room make_room(Node& node, Grant& grant, std::uint64_t tick, std::uint64_t now_tick, bool& renewed) {
  if (tick >= grant.until.load(std::memory_order_acquire)) {
    const Extension extension = node.extend(grant, tick);
    if (extension == Extension::late) refuse_late(node);
    return extension == Extension::done ? Room::changed : Room::none;
  }
  if (renewed || !nears_its_end(node, grant, now_tick)) return Room::enough;
  renewed = true;
  if (node.renew(grant, false) == Extension::late) refuse_late(node);
  return Room::changed;
}

void note_claim(const Pace& pace, Node& node, const Candidate& claimed) {
  if (claimed.carries) node.counters().exhaustions.fetch_add(1, std::memory_order_relaxed);
  if (claimed.ahead > pace.lead_ticks) note_wait(node, claimed.tick - static_cast<std::uint64_t>(pace.lead_ticks));
}

constexpr IdRange kNone = {0, 0, 0, false};

}  // namespace

Positions take_in_current_tick(const Pace& pace, Node& node, Grant& grant, std::uint64_t most, unsigned share) {
  // The orders are those of claim_in_current_tick().
  const auto tick = static_cast<std::uint64_t>(node.now());
  if (tick >= grant.until.load(std::memory_order_relaxed) || nears_its_end(node, grant, tick)) return {0, 0};
  return take_in_tick(pace, node, grant, tick, most, share);
}

bool begins_soon(const Pace& pace, const Node& node, const Grant& grant, std::uint64_t last, std::uint64_t now_tick) {
  const auto ahead = static_cast<std::int64_t>(node.tick_of(grant.begin) - now_tick);
  return last == grant.begin && ahead - pace.lead_ticks <= longest_start_ticks(grant);
}

Node* Generator::usable_node() {
  for (;;) {
    Node* node = node_.load(std::memory_order_acquire);
    if (node == &closed_node()) refuse_closed();
    if (node->usable()) return node;
    Node* const reopened = provider_->reopen(*node);
    if (reopened == nullptr) return nullptr;
    // Only if the node is still the void one: another thread may have closed the generator, or
    // reopened it too.
    Node* const former = node;
    if (node_.compare_exchange_strong(node, reopened, std::memory_order_acq_rel)) {
      opened_.store(reopened, std::memory_order_release);
      former->leave();
    } else {
      reopened->leave();
    }
  }
}

std::int64_t Generator::claim_first_or_again(Node& node, Grant& grant, std::uint64_t tick) {
  if (nears_its_end(node, grant, tick)) return -1;
  const Positions taken = take_in_tick(pace_, node, grant, tick, 1, 0);
  return taken.count != 0 && grant.of_this_execution() ? static_cast<std::int64_t>(node.id_of(taken.first)) : -1;
}

std::int64_t Generator::claim_slowly(Patience patience) {
  const IdRange range = claim_range_slowly(1, patience);
  if (range.count == 0) return -1;
  return range.ready ? static_cast<std::int64_t>(range.first) : ~static_cast<std::int64_t>(range.first);
}

IdRange Generator::claim_range_slowly(std::uint64_t n, Patience patience) {
  bool renewed = false;  // once: the last window of a layout does not grow
  for (;;) {
    Node* const usable = usable_node();
    if (usable == nullptr) return kNone;
    Node& node = *usable;
    Grant& grant = *node.grant();
    std::uint64_t last = grant.last.load(std::memory_order_acquire);
    const std::int64_t seen = node.counters().clock_seen.load(std::memory_order_relaxed);
    // Being replaced or given back, maybe by this very thread.
    if (last >= Grant::kFrozen) return kNone;
    // Read after the position and the time that it is compared with: an old reading must not look
    // like a step back.
    const std::uint64_t now_tick = current_tick(layout_, node.clock().now_ms());
    note_step_back(node.counters(), seen, static_cast<std::int64_t>(now_tick));

    const Candidate next = next_candidate(pace_, node, last, now_tick);
    const bool ready = next.ahead <= pace_.lead_ticks;
    if (next.tick >= layout_.end_tick()) refuse_exhausted(layout_);
    if (next.ahead > pace_.lead_ticks + pace_.wait_ticks) {
      const bool soon = refuse_unless_awaited(pace_, node, grant, last, next);
      if (soon && patience == Patience::wait) note_wait(node, claimable_from(pace_, node, grant, last));
      return kNone;
    }
    if (!ready && patience == Patience::none) return kNone;
    const Room room = make_room(node, grant, next.tick, now_tick, renewed);
    if (room == Room::none) return kNone;
    if (room == Room::changed) continue;
    const Positions positions = {next.first, std::min(n, node.capacity() - node.sequence_of(next.first))};
    if (!take(node, grant, last, positions, now_tick)) continue;
    drop_reserve(pace_, grant);
    note_claim(pace_, node, next);
    // Checked last: in a copy of the process the positions belong to the original.
    if (grant.of_this_execution()) return range_of(node, positions, ready);
  }
}

}  // namespace polyflake
