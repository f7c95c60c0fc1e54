// Claiming positions off the fast path: jumps to a new tick, windows that must grow, clocks that went back; and the runs
// that threads take ahead. In one file, so that the parts are compiled into each other.
#include <polyflake/error.hpp>

#include <algorithm>
#include <string>

#include "issue/issuing.hpp"
#include "issue/current_tick.hpp"

namespace polyflake {
namespace {

// The window is moved on a little before it ends, by one call, so that others need not wait for the flush.
bool nears_its_end(const State& state, const Grant& grant, std::uint64_t tick) {
  const std::uint64_t margin = static_cast<std::uint64_t>(grant.window_ticks) / 4;
  return margin != 0 && tick + margin >= grant.until.load(std::memory_order_relaxed) && !state.extending();
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

void note_wait(State& state, std::uint64_t until_tick) {
  const std::int64_t ns = state.clock().ns_until(state.layout().time_of(until_tick));
  state.counters().waits.fetch_add(1, std::memory_order_relaxed);
  state.counters().waited_ns.fetch_add(static_cast<std::uint64_t>(ns), std::memory_order_relaxed);
}

constexpr std::uint64_t kRuns = 4;  // so that a thread which uses a few generators in turn keeps a run for each

// In this file alone, so that no other copy of the library in the process can share it.
inline ThreadReserve& run_of_this_thread(const Grant& grant) noexcept {
  static thread_local ThreadReserve runs[kRuns];
  return runs[grant.serial % kRuns];
}

// What the run has left of the present tick; 0 where ids of a later tick exist, issued ahead of the clock or before it
// was set back: ticks rise between threads, too.
inline std::uint64_t left_now(const ThreadReserve& run, const State& state, const Grant& grant) {
  const std::uint64_t left = run.left(grant.serial);
  if (left == 0 || run.spoiled()) return 0;
  const std::uint64_t tick = state.tick_of(run.next());
  // Relaxed: it is enough to see what was taken by calls that returned before this one began.
  const bool newest = state.tick_of(grant.last.load(std::memory_order_relaxed)) == tick;
  return newest && tick == static_cast<std::uint64_t>(state.now()) ? left : 0;
}

// A drop is not an id issued.
void drop_rest(ThreadReserve& run, Grant& grant) {
  const std::uint64_t left = run.left(grant.serial);
  if (left != 0) grant.skipped.fetch_add(left, std::memory_order_relaxed);
  run.drop();
}

}  // namespace

State* Generator::usable_node() {
  for (;;) {
    State* state = state_.load(std::memory_order_acquire);
    if (state == &closed_node()) refuse_closed();
    if (state->usable()) return state;
    State* const reopened = source_->reopen(*state);
    if (reopened == nullptr) return nullptr;
    // Only if it is still the void one: another thread may have closed the generator, or reopened it too.
    State* const former = state;
    if (state_.compare_exchange_strong(state, reopened, std::memory_order_acq_rel)) {
      opened_.store(reopened, std::memory_order_release);
      former->leave();
    } else {
      reopened->leave();
    }
  }
}

// Always beginning at 0 would make every id of a quiet generator even and starve shards chosen by id % n, so the start is
// spread by a multiplicative hash of the tick (Knuth, TAOCP 6.4); not after a busy tick, so that a saturated generator
// loses nothing.
std::uint64_t Generator::start_of(const State& state, std::uint64_t tick, std::uint64_t last) const {
  const bool after_busy_tick = state.tick_of(last) + 1 == tick && state.sequence_of(last) >= state.capacity() / 2;
  return after_busy_tick ? 0 : ((tick * 0x9E3779B97F4A7C15) >> 32) * spread_ >> 32;
}

bool Generator::take(State& state, Grant& grant, std::uint64_t& last, std::uint64_t first, std::uint64_t count,
                     std::uint64_t now_tick) {
  const std::uint64_t gap = first - last - 1;
  if (gap == 0) return swap(grant, last, first + count - 1);
  grant.skipped.fetch_add(gap, std::memory_order_relaxed);
  state.counters().clock_seen.store(static_cast<std::int64_t>(now_tick), std::memory_order_relaxed);
  if (swap(grant, last, first + count - 1)) return true;
  grant.skipped.fetch_sub(gap, std::memory_order_relaxed);
  return false;
}

bool Generator::take_in_tick(State& state, Grant& grant, std::uint64_t tick, std::uint64_t most, unsigned share,
                             std::uint64_t& position, std::uint64_t& count) {
  std::uint64_t last = grant.last.load(std::memory_order_acquire);
  do {
    position = last + 1;
    if (state.tick_of(position) != tick) {                // `last` is of another tick, or was the last one of this
      if (position > state.first_of(tick)) return false;  // used up, or the clock is behind
      position = state.first_of(tick) + start_of(state, tick, last);
    }
    const std::uint64_t left = state.capacity() - state.sequence_of(position);
    count = std::max<std::uint64_t>(std::min(most, left >> share), 1);
  } while (!take(state, grant, last, position, count, tick));
  return true;
}

bool Generator::take_in_this_tick(State& state, Grant& grant, std::uint64_t most, unsigned share, std::uint64_t& position,
                                  std::uint64_t& count) {
  // As in claim_in_this_tick().
  const auto tick = static_cast<std::uint64_t>(state.now());
  if (tick >= grant.until.load(std::memory_order_relaxed) || nears_its_end(state, grant, tick)) return false;
  return take_in_tick(state, grant, tick, most, share, position, count);
}

std::int64_t Generator::claim_first_or_again(State& state, Grant& grant, std::uint64_t tick) {
  if (nears_its_end(state, grant, tick)) return -1;
  std::uint64_t position, count;
  if (!take_in_tick(state, grant, tick, 1, 0, position, count)) return -1;
  return grant.ours() ? static_cast<std::int64_t>(state.id_of(position)) : -1;
}

bool Generator::begins_soon(const State& state, const Grant& grant, std::uint64_t last, std::uint64_t now_tick) const {
  const auto ahead = static_cast<std::int64_t>(state.tick_of(grant.begin) - now_tick);
  return last == grant.begin && ahead - lead_ticks_ <= longest_start_ticks(grant);
}

Generator::Run Generator::claim_slowly(std::uint64_t n, Patience patience) {
  bool renewed = false;  // once: the last window of a layout does not grow
  for (;;) {
    State* const usable = usable_node();
    if (usable == nullptr) return Run::none();
    State& state = *usable;
    Grant& grant = *state.grant();
    Counters& counters = state.counters();
    std::uint64_t last = grant.last.load(std::memory_order_acquire);
    const std::int64_t seen = counters.clock_seen.load(std::memory_order_relaxed);
    if (last >= Grant::kFrozen) return Run::none();  // being replaced or given back, maybe by this very thread
    // After the position and the time that it is compared with: a stale reading accuses nobody.
    const std::int64_t now_ms = state.clock().now_ms();
    const std::uint64_t now_tick = current_tick(layout_, now_ms);
    note_step_back(counters, seen, static_cast<std::int64_t>(now_tick));

    const bool jump = now_tick > state.tick_of(last);
    const std::uint64_t first = jump ? state.first_of(now_tick) + start_of(state, now_tick, last) : last + 1;
    const std::uint64_t tick = state.tick_of(first);
    const auto ahead = static_cast<std::int64_t>(tick - now_tick);
    const bool ready = ahead <= lead_ticks_;
    if (tick >= layout_.end_tick()) refuse_exhausted(layout_);
    if (ahead > lead_ticks_ + wait_ticks_) {
      if (!begins_soon(state, grant, last, now_tick)) refuse_clock_behind(state, grant, tick);
      if (patience == Patience::wait) note_wait(state, claimable_from(state, grant, last));
      return Run::none();
    }
    if (!ready && patience == Patience::none) return Run::none();
    if (tick >= grant.until.load(std::memory_order_acquire)) {
      const Extension extension = state.extend(grant, tick);
      if (extension == Extension::late) refuse_late(state);
      if (extension != Extension::done) return Run::none();
      continue;
    }
    if (!renewed && nears_its_end(state, grant, now_tick)) {
      renewed = true;
      if (state.renew(grant) == Extension::late) refuse_late(state);
      continue;
    }
    const std::uint64_t count = std::min(n, state.capacity() - state.sequence_of(first));
    const bool carried = !jump && state.sequence_of(first) == 0;
    if (!take(state, grant, last, first, count, now_tick)) continue;
    drop_own_run(grant);
    if (carried) counters.exhaustions.fetch_add(1, std::memory_order_relaxed);
    if (!ready) note_wait(state, tick - static_cast<std::uint64_t>(lead_ticks_));
    // Last: in a copy of the process what was taken belongs to the original.
    if (grant.ours()) return {&state, first, count, ready};
  }
}

Generator::Run Generator::claim_positions(std::uint64_t n) {
  State& state = *state_.load(std::memory_order_acquire);
  Grant& grant = *state.grant();
  Run run{&state, 0, 0, true};
  bool taken = take_from_own_run(state, grant, n, run.first, run.count);
  if (!taken && take_in_this_tick(state, grant, n, 0, run.first, run.count)) {
    drop_own_run(grant);  // what a signal handler took meanwhile is below
    taken = true;
  }
  return taken && grant.ours() ? run : claim_slowly(n);
}

IdRange Generator::claim_ids(std::size_t n) {
  if (n == 0) {
    if (closed()) refuse_closed();
    return {0, 0, 0, true};
  }
  const Run run = claim_positions(n);
  if (run.count == 0) return {0, 0, 0, false};
  return {run.state->id_of(run.first), std::uint64_t{1} << run.state->sequence_shift(), static_cast<std::size_t>(run.count),
          run.ready};
}

// --- Ordering::per_thread ------------------------------------------------------------------------

ThreadReserve& own_run(const Grant& grant) noexcept { return run_of_this_thread(grant); }

std::int64_t Generator::claim_from_own_run() {
  State& state = *state_.load(std::memory_order_acquire);
  Grant& grant = *state.grant();
  ThreadReserve& run = run_of_this_thread(grant);
  const ThreadReserve::Hold held(run);
  if (!held) return claim_in_this_tick();  // inside of another call of this thread
  if (left_now(run, state, grant) == 0) {
    if (!run.belongs_to(grant.serial)) return claim_in_this_tick();
    if (!refill(run, state, grant)) return -1;
  }
  const std::uint64_t id = state.id_of(run.next());
  run.use(1);
  return grant.ours() ? static_cast<std::int64_t>(id) : -1;
}

bool Generator::refill(ThreadReserve& run, State& state, Grant& grant) {
  constexpr std::uint64_t kLongest = 256;  // longer runs save nothing more
  constexpr unsigned kShare = 6;           // a 64th of what the tick has left, so that many threads find some too
  drop_rest(run, grant);
  std::uint64_t position, count;
  const bool taken = take_in_this_tick(state, grant, kLongest, kShare, position, count);
  if (taken) run.refill(position, position + count);
  return taken;
}

bool Generator::take_from_own_run(State& state, Grant& grant, std::uint64_t most, std::uint64_t& position,
                                  std::uint64_t& count) {
  if (ordering_ == Ordering::strict) return false;
  ThreadReserve& run = run_of_this_thread(grant);
  const ThreadReserve::Hold held(run);
  if (!held) return false;
  position = run.next();
  count = std::min(most, left_now(run, state, grant));
  if (count == 0) {
    drop_rest(run, grant);
    return false;
  }
  run.use(count);
  return true;
}

void Generator::drop_own_run(Grant& grant) const {
  if (ordering_ == Ordering::strict) return;
  ThreadReserve& run = run_of_this_thread(grant);
  if (const ThreadReserve::Hold held(run); held) drop_rest(run, grant);  // else the call that holds it sees to that
}

}  // namespace polyflake
