// Claiming positions off the fast path: jumps to a new tick, windows that must grow, clocks that went back.
#include <polyflake/error.hpp>

#include <algorithm>

#include "issue/counters.hpp"
#include "issue/current_tick.hpp"
#include "issue/issuing.hpp"
#include "issue/node_provider.hpp"
#include "issue/reservation.hpp"

namespace polyflake {
namespace {

// The window is moved on a little before it ends, by one call, so that others need not wait for the flush.
bool nears_its_end(const Node& node, const Grant& grant, std::uint64_t tick) {
  const std::uint64_t margin = static_cast<std::uint64_t>(grant.growth.early);
  return margin != 0 && tick + margin >= grant.until.load(std::memory_order_relaxed) && !node.extending();
}

// `seen`: what `clock_seen` was before the clock was read, since another thread may have seen a later time meanwhile.
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

// The sequence with which a tick begins, after `last`. Always 0 would make every id of a quiet generator even and starve
// shards chosen by id % n, so the start is spread by a multiplicative hash of the tick (Knuth, TAOCP 6.4); not after a busy
// tick, so that a saturated generator loses nothing. The key sets processes apart that have no node id.
std::uint64_t start_of(const Pace& pace, const Node& node, std::uint64_t tick, std::uint64_t last) {
  const bool after_busy_tick = node.tick_of(last) + 1 == tick && node.sequence_of(last) >= node.capacity() / 2;
  return after_busy_tick ? 0 : (((tick ^ node.draw().key) * 0x9E3779B97F4A7C15) >> 32) * pace.spread >> 32;
}

// Moves `last` to the end of these positions, and counts what it jumps over as skipped; else reloads it.
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

// take_in_current_tick() where the tick is known to be the current one and inside the window.
Positions take_in_tick(const Pace& pace, Node& node, Grant& grant, std::uint64_t tick, std::uint64_t most,
                       unsigned share) {
  std::uint64_t last = grant.last.load(std::memory_order_acquire);
  Positions positions;
  do {
    positions.first = last + 1;
    if (node.tick_of(positions.first) != tick) {  // `last` is of another tick, or was the last one of this
      if (positions.first > node.first_of(tick)) return {0, 0};  // used up, or the clock is behind
      positions.first = node.first_of(tick) + start_of(pace, node, tick, last);
    }
    const std::uint64_t left = node.capacity() - node.sequence_of(positions.first);
    positions.count = std::max<std::uint64_t>(std::min(most, left >> share), 1);
  } while (!take(node, grant, last, positions, tick));
  return positions;
}

constexpr IdRange kNone = {0, 0, 0, false};

}  // namespace

Positions take_in_current_tick(const Pace& pace, Node& node, Grant& grant, std::uint64_t most, unsigned share) {
  // As in claim_in_current_tick().
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
    // Only if it is still the void one: another thread may have closed the generator, or reopened it too.
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
  return taken.count != 0 && grant.ours() ? static_cast<std::int64_t>(node.id_of(taken.first)) : -1;
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
    Counters& counters = node.counters();
    std::uint64_t last = grant.last.load(std::memory_order_acquire);
    const std::int64_t seen = counters.clock_seen.load(std::memory_order_relaxed);
    if (last >= Grant::kFrozen) return kNone;  // being replaced or given back, maybe by this very thread
    // After the position and the time that it is compared with: a stale reading accuses nobody.
    const std::int64_t now_ms = node.clock().now_ms();
    const std::uint64_t now_tick = current_tick(layout_, now_ms);
    note_step_back(counters, seen, static_cast<std::int64_t>(now_tick));

    const bool jump = now_tick > node.tick_of(last);
    const std::uint64_t first = jump ? node.first_of(now_tick) + start_of(pace_, node, now_tick, last) : last + 1;
    const std::uint64_t tick = node.tick_of(first);
    const auto ahead = static_cast<std::int64_t>(tick - now_tick);
    const bool ready = ahead <= pace_.lead_ticks;
    if (tick >= layout_.end_tick()) refuse_exhausted(layout_);
    if (ahead > pace_.lead_ticks + pace_.wait_ticks) {
      const bool soon = begins_soon(pace_, node, grant, last, now_tick);
      if (!soon && !awaits_lease(grant, last)) refuse_clock_behind(pace_, node, grant, tick);
      if (soon && patience == Patience::wait) note_wait(node, claimable_from(pace_, node, grant, last));
      return kNone;
    }
    if (!ready && patience == Patience::none) return kNone;
    if (tick >= grant.until.load(std::memory_order_acquire)) {
      const Extension extension = node.extend(grant, tick);
      if (extension == Extension::late) refuse_late(node);
      if (extension != Extension::done) return kNone;
      continue;
    }
    if (!renewed && nears_its_end(node, grant, now_tick)) {
      renewed = true;
      if (node.renew(grant, false) == Extension::late) refuse_late(node);
      continue;
    }
    const Positions positions = {first, std::min(n, node.capacity() - node.sequence_of(first))};
    const bool carried = !jump && node.sequence_of(first) == 0;
    if (!take(node, grant, last, positions, now_tick)) continue;
    drop_reserve(pace_, grant);
    if (carried) counters.exhaustions.fetch_add(1, std::memory_order_relaxed);
    if (!ready) note_wait(node, tick - static_cast<std::uint64_t>(pace_.lead_ticks));
    // Last: in a copy of the process what was taken belongs to the original.
    if (grant.ours()) return range_of(node, positions, ready);
  }
}

}  // namespace polyflake
