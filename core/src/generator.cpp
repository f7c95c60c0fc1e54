#include <polyflake/generator.hpp>

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <string>
#include <thread>

#include "thread_run.hpp"

namespace polyflake {
namespace {

std::atomic<State*> g_closed_state{nullptr};

// What a closed generator issues from: an empty window, so that every call takes the slow path. Made by the first
// generator of the process, and never freed: calls may come at any time.
State& closed_state() { return *g_closed_state.load(std::memory_order_acquire); }

constexpr std::int64_t kNsPerMs = 1'000'000;

// The allowance is for machines that wake sleepers late.
bool waited_too_long(std::int64_t ns, std::int64_t waited_ns, std::int64_t agreed_ms) {
  constexpr std::int64_t kAllowanceMs = 100;
  return ns / kNsPerMs > agreed_ms || waited_ns / kNsPerMs > 2 * agreed_ms + kAllowanceMs;
}

[[noreturn]] void refuse_late(const State& state) {
  throw Error(ErrorCode::registry_unusable,
              "writing the mark of node id " + std::to_string(state.node()) + " to '" + state.place() +
                  "' took longer than the window of " + std::to_string(state.grant()->window_ticks * state.layout().tick_ms()) +
                  " ms that it was to open: the disk is too slow, or this process was stopped meanwhile; try again");
}

[[noreturn]] void refuse_closed() {
  throw Error(ErrorCode::generator_closed, "this generator was closed; open a new one");
}

std::string duration(std::int64_t ms) {
  constexpr std::int64_t kDayMs = 86'400'000;
  return std::to_string(ms) + " ms" + (ms >= 2 * kDayMs ? " (" + std::to_string(ms / kDayMs) + " days)" : "");
}

[[noreturn]] void refuse_far_start(const State& state, const std::string& missing) {
  const std::string place = state.place();
  throw Error(ErrorCode::clock_behind,
              "node id " + std::to_string(state.node()) + " may not be used before the clock gets " + missing +
                  " further" + (place.empty() ? "; was the clock set back?" :
                  ": so far '" + place + "' reserves it. If that was written while the clock was ahead, set the clock right, "
                  "stop all processes that use this registry folder, and remove the folder"));
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

// In this file alone, so that no other copy of the library in the process can share it.
ThreadRun& own_run(const Grant& grant) noexcept {
  constexpr std::uint64_t kRuns = 4;  // so that a thread which uses a few generators in turn keeps a run for each
  static thread_local ThreadRun runs[kRuns];
  return runs[grant.serial % kRuns];
}

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

Ordering parse_ordering(std::string_view text) {
  if (text == "strict") return Ordering::strict;
  if (text == "per_thread") return Ordering::per_thread;
  throw Error(ErrorCode::option_invalid, "ordering is " + quoted(text) + "; it may be \"strict\" or \"per_thread\"");
}

const char* name_of(GeneratorState::Name name) noexcept {
  switch (name) {
    case GeneratorState::Name::starting: return "starting";
    case GeneratorState::Name::open: return "open";
    case GeneratorState::Name::waiting: return "waiting";
    case GeneratorState::Name::lost: return "lost";
    case GeneratorState::Name::closed: return "closed";
  }
  return "";
}

Generator::~Generator() { close(); }

void Generator::refuse_clock_behind(State& state, const Grant& grant, std::uint64_t tick) const {
  const std::int64_t now = state.now();
  const std::string missing = duration((static_cast<std::int64_t>(tick) - now - lead_ticks_) * layout_.tick_ms());
  const std::string allowed = "one call may wait " + std::to_string(wait_ticks_ * layout_.tick_ms()) + " ms; ";
  if (grant.last.load(std::memory_order_relaxed) == grant.begin) refuse_far_start(state, missing);
  const bool stepped_back = now < state.counters().clock_seen.load(std::memory_order_relaxed);
  throw Error(ErrorCode::clock_behind,
              stepped_back ? "the clock was set back: it is " + missing + " behind the ids already issued, and " + allowed +
                                 "try again later, or raise max_wait_ms or max_lead_ms"
                           : "all ids of the next " + missing + " are taken already, and " + allowed +
                                 "ask for fewer at once, or raise max_wait_ms or max_lead_ms");
}

State* Generator::usable_state() {
  for (;;) {
    State* state = state_.load(std::memory_order_acquire);
    if (state == &closed_state()) refuse_closed();
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
  if (tick >= grant.until.load(std::memory_order_relaxed)) return false;
  return take_in_tick(state, grant, tick, most, share, position, count);
}

std::int64_t Generator::claim_first_or_again(State& state, Grant& grant, std::uint64_t tick) {
  std::uint64_t position, count;
  if (!take_in_tick(state, grant, tick, 1, 0, position, count)) return -1;
  return grant.ours() ? static_cast<std::int64_t>(state.id_of(position)) : -1;
}

bool Generator::begins_soon(const State& state, const Grant& grant, std::uint64_t last, std::uint64_t now_tick) const {
  const auto ahead = static_cast<std::int64_t>(state.tick_of(grant.begin) - now_tick);
  // A quarantine counts from the time of a file, which may be a little ahead.
  return last == grant.begin && ahead - lead_ticks_ <= grant.window_ticks + grant.window_ticks / 8 + 1;
}

Generator::Run Generator::claim_slowly(std::uint64_t n, Patience patience) {
  for (;;) {
    State* const usable = usable_state();
    if (usable == nullptr) return Run::none();
    State& state = *usable;
    Grant& grant = *state.grant();
    Counters& counters = state.counters();
    std::uint64_t last = grant.last.load(std::memory_order_acquire);
    const std::int64_t seen = counters.clock_seen.load(std::memory_order_relaxed);
    if (last >= Grant::kFrozen) {  // being replaced by another thread
      std::this_thread::yield();
      continue;
    }
    // After the position and the time that it is compared with: a stale reading accuses nobody.
    const std::int64_t now_ms = state.clock().now_ms();
    const std::uint64_t now_tick = present_tick(layout_, now_ms);
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

IdRun Generator::claim_ids(std::size_t n) {
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

// --- waiting ---------------------------------------------------------------------------------------

std::uint64_t Generator::claimable_from(const State& state, const Grant& grant, std::uint64_t last) const {
  const std::uint64_t tick = state.tick_of(last + 1);
  const auto before = [tick](std::int64_t ticks) { return tick - std::min(tick, static_cast<std::uint64_t>(ticks)); };
  const std::uint64_t allowed = before(lead_ticks_ + wait_ticks_);
  if (grant.window_ticks == 0 || tick < grant.until.load(std::memory_order_acquire)) return allowed;
  return std::max(allowed, before(grant.window_ticks - 1));  // no window reaches further
}

std::int64_t Generator::wait_for_turn_ns(bool taken, std::int64_t longest_ms, std::int64_t waited_ns) const {
  constexpr std::int64_t kMomentNs = 200'000;
  if (!taken) return -1;
  if (waited_ns / kNsPerMs < longest_ms) return kMomentNs;
  throw Error(ErrorCode::registry_unusable, "another call has been reading or writing the registry files of this process for "
                                            "more than the " + std::to_string(longest_ms) +
                                                " ms that this one may wait; try again later, raise max_wait_ms, or call "
                                                "renew ahead of need");
}

// For id 0: until anything can be claimed.
std::int64_t Generator::wait_for_claim_ns(std::int64_t waited_ns) {
  constexpr std::int64_t kLongestOpeningMs = 2000;
  State& state = *state_.load(std::memory_order_acquire);
  const std::int64_t agreed_ms = wait_ticks_ * layout_.tick_ms();
  if (!state.usable()) {
    StateTable* const table = StateTable::existing();
    return wait_for_turn_ns(table != nullptr && table->opening().taken(), std::max(agreed_ms, kLongestOpeningMs), waited_ns);
  }
  const Grant& grant = *state.grant();
  const std::uint64_t last = grant.last.load(std::memory_order_acquire);
  if (last >= Grant::kFrozen) return -1;
  const std::int64_t from_ms = layout_.time_of(claimable_from(state, grant, last));
  const std::int64_t ns = state.clock().advance_to(from_ms) ? 0 : state.clock().ns_until(from_ms);
  if (ns <= 0) return wait_for_turn_ns(state.extending(), agreed_ms, waited_ns);
  // The clock was set back meanwhile, or stands still.
  const std::int64_t longest_ms = std::max(agreed_ms, (grant.window_ticks + grant.window_ticks / 8 + 1) * layout_.tick_ms());
  if (waited_too_long(ns, waited_ns, longest_ms)) {
    refuse_clock_behind(state, grant, state.tick_of(last + 1));
  }
  return ns;
}

std::int64_t Generator::wait_ns(std::uint64_t id, std::int64_t waited_ns) {
  if (closed()) refuse_closed();
  if (id == 0) return wait_for_claim_ns(waited_ns);
  State& state = *state_.load(std::memory_order_acquire);
  const Field& timestamp = layout_.timestamp();
  const auto tick = static_cast<std::int64_t>(id >> timestamp.shift & ones(timestamp.width));
  const std::int64_t due_ms = layout_.time_of(static_cast<std::uint64_t>(std::max<std::int64_t>(tick - lead_ticks_, 0)));
  const std::int64_t ns = state.clock().advance_to(due_ms) ? 0 : state.clock().ns_until(due_ms);
  // The clock stepped back after the id was claimed, or stands still: nobody waits longer than was agreed.
  const bool too_long = waited_too_long(ns, waited_ns, wait_ticks_ * layout_.tick_ms());
  // Last: a copy of the process that a signal handler makes meanwhile must discard the id.
  if (!state.grant()->ours() || (id & layout_.node_mask()) != state.node_bits()) return -1;
  if (too_long) refuse_clock_behind(state, *state.grant(), static_cast<std::uint64_t>(tick));
  return ns;
}

bool Generator::wait_until_due(std::uint64_t id) {
  std::int64_t waited_ns = 0;
  for (;;) {
    const std::int64_t ns = wait_ns(id, waited_ns);
    if (ns <= 0) return ns == 0;
    waited_ns += sleep_ns(ns);
  }
}

std::uint64_t Generator::wait_for(std::uint64_t id) {
  while (!wait_until_due(id)) {
    const Claim claimed = claim();
    if (claimed.ready()) return claimed.id();
    id = claimed.id();
  }
  return id;
}

std::optional<std::uint64_t> Generator::try_next_id() {
  const std::int64_t id = claim_now();
  if (id >= 0) return static_cast<std::uint64_t>(id);
  const Run run = claim_slowly(1, Patience::none);
  if (run.count == 0) return std::nullopt;
  return run.as_claim().id();
}

std::int64_t Generator::claim_run(std::uint64_t* ids, std::size_t n) {
  if (closed()) refuse_closed();
  for (;;) {
    const std::uint64_t execution = Incarnation::current();
    const std::int64_t claimed = claim_runs(ids, n);
    if (Incarnation::current() == execution) return claimed;
    // A copy of the process, made by a signal handler on the way: what was written belongs to the original.
  }
}

std::int64_t Generator::claim_runs(std::uint64_t* ids, std::size_t n) {
  std::size_t done = 0;
  while (done < n) {
    const IdRun run = claim_ids(n - done);
    if (run.count == 0) break;
    run.write(ids + done);
    done += run.count;
    if (!run.ready) return -static_cast<std::int64_t>(done);
  }
  return static_cast<std::int64_t>(done);
}

void Generator::fill(std::uint64_t* ids, std::size_t n) {
  std::uint64_t execution;
  do {
    execution = Incarnation::current();
    std::size_t done = 0;
    while (done < n) {
      const std::int64_t claimed = claim_runs(ids + done, n - done);
      done += static_cast<std::size_t>(claimed < 0 ? -claimed : claimed);
      if (claimed <= 0) wait_until_due(claimed == 0 ? 0 : ids[done - 1]);  // in a copy it says so, which is asked for below
    }
    // In a copy of the process, made by a signal handler on the way, all of it belongs to the original.
  } while (Incarnation::current() != execution);
}

std::vector<std::uint64_t> Generator::next_ids(std::size_t n) {
  std::vector<std::uint64_t> ids(n);
  fill(ids.data(), n);
  return ids;
}

void Generator::prepare_closing() {
  if (g_closed_state.load(std::memory_order_acquire) != nullptr) return;
  auto made = std::make_unique<State>("polyflake", 0);
  made->adopt(0, 0, nullptr);
  State* expected = nullptr;
  if (g_closed_state.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) made.release();
}

void Generator::start_with(State& state) {
  opened_.store(&state, std::memory_order_release);
  state_.store(&state, std::memory_order_release);
}

void Generator::close() noexcept {
  // The closed state exists since the constructor asked for it, so nothing here allocates.
  State* const former = state_.exchange(&closed_state(), std::memory_order_acq_rel);
  if (former != &closed_state() && former != nullptr) former->leave();
  if (private_state_ != nullptr) private_state_->release(true);
}

bool Generator::closed() const noexcept { return state_.load(std::memory_order_acquire) == &closed_state(); }

std::string Generator::next_id_string() { return to_text(next_id()); }

void Generator::renew() {
  std::int64_t waited_ns = 0;
  for (;;) {
    State* const state = usable_state();
    if (state != nullptr) {
      Grant& grant = *state->grant();
      const Extension extension = state->renew(grant);
      if (extension == Extension::late) refuse_late(*state);
      if (extension != Extension::busy && state->usable()) return;
    }
    constexpr std::int64_t kMomentNs = 1'000'000;
    constexpr std::int64_t kLongestNs = 30'000 * kNsPerMs;
    if (waited_ns > kLongestNs) wait_for_turn_ns(true, kLongestNs / kNsPerMs, waited_ns);
    waited_ns += sleep_ns(kMomentNs);
  }
}

GeneratorState Generator::state() const noexcept {
  using Name = GeneratorState::Name;
  const State& state = *state_.load(std::memory_order_acquire);
  if (&state == &closed_state()) return {Name::closed, ErrorCode::generator_closed};
  const Grant& grant = *state.grant();
  if (!grant.ours()) return source_->after_fork();
  if (state.lost()) return {Name::lost, ErrorCode::registry_unusable};
  const std::uint64_t last = grant.last.load(std::memory_order_relaxed);
  const std::int64_t now = state.now();
  if (now < 0) return {Name::waiting, ErrorCode::clock_before_epoch};
  const std::uint64_t now_tick = static_cast<std::uint64_t>(now);
  if (std::max(now_tick, state.tick_of(last + 1)) >= layout_.end_tick()) return {Name::lost, ErrorCode::time_exhausted};
  if (last >= Grant::kFrozen || now_tick >= state.tick_of(last)) return {Name::open, std::nullopt};
  const auto ahead = static_cast<std::int64_t>(state.tick_of(last + 1) - now_tick);
  if (ahead <= lead_ticks_) return {Name::open, std::nullopt};
  if (begins_soon(state, grant, last, now_tick)) return {Name::starting, std::nullopt};
  if (ahead <= lead_ticks_ + wait_ticks_) return {Name::open, std::nullopt};
  return {Name::waiting, ErrorCode::clock_behind};
}

std::uint64_t Generator::worker() const { return opened_.load(std::memory_order_acquire)->node(); }

Stats Generator::stats() const {
  constexpr auto relaxed = std::memory_order_relaxed;
  constexpr double kMsPerYear = 365.2425 * 86'400'000;
  State& state = *opened_.load(std::memory_order_acquire);
  const Grant& grant = *state.grant();
  const Counters& counters = state.counters();
  const std::int64_t now_ms = state.clock().now_ms();
  const std::uint64_t last = grant.last.load(relaxed);
  const bool issuing = last != grant.begin && last < Grant::kFrozen;
  const std::int64_t ahead_ms = issuing ? (static_cast<std::int64_t>(state.tick_of(last)) - state.now()) * layout_.tick_ms() : 0;
  Stats stats{};
  stats.issued = state.issued(ordering_ == Ordering::strict ? 0 : own_run(grant).left(grant.serial));
  stats.waits = counters.waits.load(relaxed);
  stats.waited_ms = static_cast<double>(counters.waited_ns.load(relaxed)) / 1e6;
  stats.sequence_exhaustions = counters.exhaustions.load(relaxed);
  stats.clock_steps_back = counters.steps_back.load(relaxed);
  stats.largest_step_back_ms = counters.largest_step_back.load(relaxed) * layout_.tick_ms();
  stats.lead_ms = std::max<std::int64_t>(ahead_ms, 0);
  stats.until_ms = layout_.time_of(grant.until.load(relaxed));
  stats.years_left = std::max(0.0, static_cast<double>(layout_.time_of(layout_.end_tick()) - now_ms) / kMsPerYear);
  return stats;
}

}  // namespace polyflake
