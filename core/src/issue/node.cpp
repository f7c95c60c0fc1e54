#include <polyflake/detail/node.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

#include "issue/current_tick.hpp"
#include "issue/process_mark.hpp"

#if !defined(_WIN32)
#include "os/descriptor.hpp"
#endif

namespace polyflake {
namespace {

// Never destroyed: threads may issue until the very exit. Ready before anything runs, so that no guard of a first use can be
// inherited half-way by a fork.
union Undying {
  constexpr Undying() : clock() {}
  ~Undying() {}
  SystemClock clock;
} g_system;

}  // namespace

State::State(Layout layout, std::uint64_t node, Clock* clock)
    : clock_(clock),
      node_bits_(layout.node_bits(node)),
      epoch_ms_(layout.epoch_ms()),
      tick_ms_(layout.tick_ms()),
      sequence_mask_(ones(layout.sequence().width)),
      sequence_bits_(layout.sequence().width),
      sequence_shift_(layout.sequence().shift),
      timestamp_shift_(layout.timestamp().shift),
      layout_(std::move(layout)),
      node_(node) {}

State::~State() { release(true); }

Clock& State::clock() const {
  return clock_ == nullptr ? g_system.clock : *clock_;
}

void State::freeze_current() {
  Grant* const present = grant();
  if (present == nullptr) return;
  const std::uint64_t last = present->freeze();
  if (last == Grant::kFrozen) return;
  // A call that is about to jump has added to `skipped` what it may not get to skip.
  const std::uint64_t skipped = present->skipped.load(std::memory_order_relaxed);
  const std::uint64_t taken = last - present->begin;
  issued_before_.fetch_add(taken > skipped ? taken - skipped : 0, std::memory_order_relaxed);
  last_tick_.store(std::max(last_tick_.load(std::memory_order_relaxed), tick_of(last)), std::memory_order_release);
  issued_any_ = issued_any_ || last != present->begin;
}

void State::adopt(std::uint64_t start_tick, std::uint64_t until_tick, std::unique_ptr<Reservation> source,
                  std::uint64_t execution) {
  const std::lock_guard lock(turn_);
  const std::int64_t window = source == nullptr ? 0 : source->window_ticks();
  grants_.push_back(std::make_unique<Grant>(start_tick, until_tick, sequence_bits_, execution, window));
  freeze_current();
  if (issued_any_) start_tick = std::max(start_tick, last_tick_.load(std::memory_order_relaxed) + 1);
  if (start_tick >= layout_.end_tick()) {
    lost_.store(true, std::memory_order_release);
    refuse_exhausted(layout_);
  }
  grants_.back()->begin_at(first_of(start_tick));
  source_ = std::move(source);
  lost_.store(false, std::memory_order_release);
  // The clock of the first ids, which may come without a jump.
  counters_.clock_seen.store(std::min(now(), static_cast<std::int64_t>(start_tick)), std::memory_order_relaxed);
  // Release: whoever sees the grant sees its window.
  grant_.store(grants_.back().get(), std::memory_order_release);
}

void State::skip_to(std::uint64_t tick) {
  Grant& present = *grant();
  const std::uint64_t position = first_of(tick);
  std::uint64_t last = present.last.load(std::memory_order_acquire);
  while (last < position) {  // a frozen grant is above every position
    const std::uint64_t gap = position - last;
    present.skipped.fetch_add(gap, std::memory_order_relaxed);
    if (present.last.compare_exchange_strong(last, position, std::memory_order_acq_rel)) return;
    present.skipped.fetch_sub(gap, std::memory_order_relaxed);
  }
}

Extension State::extend(Grant& grant, std::uint64_t tick) {
  const std::unique_lock lock(turn_, std::try_to_lock);
  if (!lock) return Extension::busy;
  // Another thread may have done it, or replaced the grant, before this one had its turn.
  const bool needed = &grant == this->grant() && source_ != nullptr && tick >= grant.until.load(std::memory_order_acquire);
  return needed ? extend_in_turn(grant, tick) : Extension::done;
}

Extension State::renew(Grant& grant) {
  const std::unique_lock lock(turn_, std::try_to_lock);
  if (!lock) return Extension::busy;
  return &grant == this->grant() && source_ != nullptr ? extend_in_turn(grant, 0) : Extension::done;
}

Extension State::extend_in_turn(Grant& grant, std::uint64_t tick) {
  try {
    return source_->extend(grant, tick);
  } catch (...) {
    if (!grant.ours()) return Extension::done;  // a copy, made on the way: it looks again and finds that out
    // What was written is unknown, so nothing more is stamped under this grant.
    freeze_current();
    source_.reset();
    lost_.store(true, std::memory_order_release);
    throw;
  }
}

void State::release(bool patient) noexcept {
  // Before the lock: in a copy of the process it may be held by a thread that is not there.
  if (grant() == nullptr || !grant()->ours()) return;
  std::unique_lock lock(turn_, std::defer_lock);
  if (patient) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return;
  }
  if (source_ == nullptr) return;
  const std::uint64_t begin_tick = tick_of(grant()->begin);
  freeze_current();
  source_->release(std::max(last_tick_.load(std::memory_order_relaxed), begin_tick));
  source_.reset();
  lost_.store(true, std::memory_order_release);
}

bool State::mark_process() {
  if (mark_ == nullptr) mark_ = std::make_unique<ProcessMark>();
  return mark_->take(layout_.fingerprint(), node_);
}

std::string State::place() const {
  const std::unique_lock lock(turn_, std::try_to_lock);
  return lock && source_ != nullptr ? source_->place() : "";
}

std::uint64_t State::first_free_tick() const {
  const Grant* const present = grant();
  if (present == nullptr) return 0;  // an opening failed on the way
  const std::uint64_t last = present->last.load(std::memory_order_acquire);
  // Of a grant that issued nothing, whatever was stamped before it lies below its beginning.
  return last == present->begin ? tick_of(last) : last_tick() + 1;
}

std::uint64_t State::last_tick() const {
  // Without the lock: this thread may hold it, and be in a signal handler.
  const std::uint64_t last = grant()->last.load(std::memory_order_acquire);
  const std::uint64_t before = last_tick_.load(std::memory_order_acquire);
  return last >= Grant::kFrozen ? before : std::max(before, tick_of(last));
}

std::uint64_t State::issued(std::uint64_t unused) const {
  std::uint64_t issued = issued_before_.load(std::memory_order_relaxed);
  if (const Grant* const present = grant()) {
    // `last` before `skipped`: a jump adds to `skipped` first, so the difference errs on the low side only.
    const std::uint64_t last = present->last.load(std::memory_order_acquire);
    const std::uint64_t skipped = present->skipped.load(std::memory_order_relaxed) + unused;
    if (last != Grant::kFrozen && last - present->begin > skipped) issued += last - present->begin - skipped;
  }
  std::uint64_t reported = counters_.issued_reported.load(std::memory_order_relaxed);
  while (reported < issued &&
         !counters_.issued_reported.compare_exchange_weak(reported, issued, std::memory_order_relaxed)) {
  }
  return std::max(reported, issued);
}

// --- the table -----------------------------------------------------------------------------------

namespace {

// The newest table in ordinary memory: in a copy it is the parent's, hence the ancestor.
std::atomic<NodeTable*> g_newest_table{nullptr};

}  // namespace

NodeTable* NodeTable::existing() noexcept {
  return static_cast<NodeTable*>(Execution::slot().load(std::memory_order_acquire));
}

NodeTable& NodeTable::current() {
  if (NodeTable* const present = existing()) {
    // The thread that made it may not have come to this yet, and a fork now must find it.
    if (g_newest_table.load(std::memory_order_acquire) != present) g_newest_table.store(present, std::memory_order_release);
    return *present;
  }
#if !defined(_WIN32)
  Descriptor::close_inherited();  // where no handler ran
#endif
  NodeTable* const ancestor = g_newest_table.load(std::memory_order_acquire);
  // Never freed, like the states in it: they last as long as the process.
  auto* const made = new NodeTable(ancestor);
  void* expected = nullptr;
  if (!Execution::slot().compare_exchange_strong(expected, made, std::memory_order_acq_rel)) {
    delete made;  // another thread was first
    return *static_cast<NodeTable*>(expected);
  }
  g_newest_table.store(made, std::memory_order_release);
  return *made;
}

std::atomic<State*>& NodeTable::bucket(const Layout& layout, std::uint64_t node) const {
  return buckets_[(layout.fingerprint() ^ node * 0x9E3779B97F4A7C15) % kBuckets];
}

namespace {

State* find_in(State* list, const Layout& layout, std::uint64_t node) {
  for (State* state = list; state != nullptr; state = state->next) {
    if (state->node() == node && state->layout() == layout) return state;
  }
  return nullptr;
}

}  // namespace

State* NodeTable::find(const Layout& layout, std::uint64_t node) const {
  return find_in(bucket(layout, node).load(std::memory_order_acquire), layout, node);
}

State& NodeTable::find_or_add(const Layout& layout, std::uint64_t node) {
  std::atomic<State*>& head = bucket(layout, node);
  State* list = head.load(std::memory_order_acquire);
  std::unique_ptr<State> made;
  // The list that was searched is the one the swap must find: else another thread may have added the same state.
  for (;;) {
    if (State* const present = find_in(list, layout, node)) return *present;
    if (made == nullptr) made = std::make_unique<State>(layout, node);
    made->next = list;
    if (head.compare_exchange_weak(list, made.get(), std::memory_order_acq_rel)) return *made.release();
  }
}

bool NodeTable::in_use_by_an_ancestor(const Layout& layout, std::uint64_t node) const {
  for (const NodeTable* table = ancestor_; table != nullptr; table = table->ancestor_) {
    if (table->find(layout, node) != nullptr) return true;
  }
  return false;
}

}  // namespace polyflake
