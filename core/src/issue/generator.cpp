#include <polyflake/generator.hpp>

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <string>

#include "issue/issuing.hpp"

namespace polyflake {
namespace {

std::atomic<State*> g_closed_node{nullptr};

}  // namespace

State& closed_node() { return *g_closed_node.load(std::memory_order_acquire); }

void refuse_closed() {
  throw Error(ErrorCode::generator_closed, "this generator was closed; open a new one");
}

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
    const std::uint64_t execution = Execution::current();
    const std::int64_t claimed = claim_runs(ids, n);
    if (Execution::current() == execution) return claimed;
    // A copy of the process, made by a signal handler on the way: what was written belongs to the original.
  }
}

std::int64_t Generator::claim_runs(std::uint64_t* ids, std::size_t n) {
  std::size_t done = 0;
  while (done < n) {
    const IdRange run = claim_ids(n - done);
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
    execution = Execution::current();
    std::size_t done = 0;
    while (done < n) {
      const std::int64_t claimed = claim_runs(ids + done, n - done);
      done += static_cast<std::size_t>(claimed < 0 ? -claimed : claimed);
      if (claimed == 0) wait_until_due(0);
      if (claimed < 0 && !wait_until_due(ids[done - 1])) done = 0;  // the node id was lost meanwhile, or this is a copy
    }
    // In a copy of the process, made by a signal handler on the way, all of it belongs to the original.
  } while (Execution::current() != execution);
}

std::vector<std::uint64_t> Generator::next_ids(std::size_t n) {
  std::vector<std::uint64_t> ids(n);
  fill(ids.data(), n);
  return ids;
}

void Generator::prepare_closing() {
  if (g_closed_node.load(std::memory_order_acquire) != nullptr) return;
  auto made = std::make_unique<State>("polyflake", 0);
  made->adopt(0, 0, nullptr);
  State* expected = nullptr;
  if (g_closed_node.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) made.release();
}

void Generator::start_with(State& state) {
  opened_.store(&state, std::memory_order_release);
  state_.store(&state, std::memory_order_release);
}

void Generator::close() noexcept {
  // The closed state exists since the constructor asked for it, so nothing here allocates.
  State* const former = state_.exchange(&closed_node(), std::memory_order_acq_rel);
  if (former != &closed_node() && former != nullptr) former->leave();
  if (private_node_ != nullptr) private_node_->release(true);
}

bool Generator::closed() const noexcept { return state_.load(std::memory_order_acquire) == &closed_node(); }

std::string Generator::next_id_string() { return to_text(next_id()); }

GeneratorState Generator::state() const noexcept {
  using Name = GeneratorState::Name;
  const State& state = *state_.load(std::memory_order_acquire);
  if (&state == &closed_node()) return {Name::closed, ErrorCode::generator_closed};
  const Grant& grant = *state.grant();
  if (!grant.ours()) return source_->after_fork();
  const NodeTable* const table = NodeTable::existing();
  const bool exiting = table != nullptr && table->exiting.load(std::memory_order_acquire);
  if (state.lost()) return exiting ? GeneratorState{Name::closed, ErrorCode::generator_closed}
                                   : GeneratorState{Name::lost, ErrorCode::registry_unusable};
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
