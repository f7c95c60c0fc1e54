// Ordering::per_thread: threads take runs of the current tick ahead of their calls.
#include <algorithm>

#include "issuing.hpp"

namespace polyflake {
namespace {

constexpr std::uint64_t kRuns = 4;  // so that a thread which uses a few generators in turn keeps a run for each

// In this file alone, so that no other copy of the library in the process can share it.
thread_local ThreadRun t_runs[kRuns];

// What the run has left of the present tick; 0 where ids of a later tick exist, issued ahead of the clock or before it
// was set back: ticks rise between threads, too.
std::uint64_t left_now(const ThreadRun& run, const State& state, const Grant& grant) {
  const std::uint64_t left = run.left(grant.serial);
  if (left == 0 || run.spoiled()) return 0;
  const std::uint64_t tick = state.tick_of(run.next());
  // Relaxed: it is enough to see what was taken by calls that returned before this one began.
  const bool newest = state.tick_of(grant.last.load(std::memory_order_relaxed)) == tick;
  return newest && tick == static_cast<std::uint64_t>(state.now()) ? left : 0;
}

// A drop is not an id issued.
void drop_rest(ThreadRun& run, Grant& grant) {
  const std::uint64_t left = run.left(grant.serial);
  if (left != 0) grant.skipped.fetch_add(left, std::memory_order_relaxed);
  run.drop();
}

}  // namespace

ThreadRun& own_run(const Grant& grant) noexcept { return t_runs[grant.serial % kRuns]; }

std::int64_t Generator::claim_from_own_run() {
  State& state = *state_.load(std::memory_order_acquire);
  Grant& grant = *state.grant();
  ThreadRun& run = own_run(grant);
  const ThreadRun::Hold held(run);
  if (!held) return claim_in_this_tick();  // inside of another call of this thread
  if (left_now(run, state, grant) == 0) {
    if (!run.belongs_to(grant.serial)) return claim_in_this_tick();
    if (!refill(run, state, grant)) return -1;
  }
  const std::uint64_t id = state.id_of(run.next());
  run.use(1);
  return grant.ours() ? static_cast<std::int64_t>(id) : -1;
}

bool Generator::refill(ThreadRun& run, State& state, Grant& grant) {
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
  ThreadRun& run = own_run(grant);
  const ThreadRun::Hold held(run);
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
  ThreadRun& run = own_run(grant);
  if (const ThreadRun::Hold held(run); held) drop_rest(run, grant);  // else the call that holds it sees to that
}

}  // namespace polyflake
