#include <polyflake/detail/node.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "issue/current_tick.hpp"
#include "issue/node_rest.hpp"

namespace polyflake {
namespace {

// Never destroyed: threads may issue until exit. Initialised before anything runs, so that a fork
// cannot inherit the half-taken guard of a first use.
union Undying {
  constexpr Undying() noexcept : clock() {}
  ~Undying() {}
  SystemClock clock;
} g_system;

}  // namespace

Node::Node(Layout layout, std::uint64_t id, Clock* clock, RandomKey random_key)
    : clock_(clock),
      node_bits_(layout.node_bits(id)),
      epoch_ms_(layout.epoch_ms()),
      tick_ms_(layout.tick_ms()),
      sequence_mask_(ones(layout.sequence().width)),
      sequence_bits_(layout.sequence().width),
      sequence_shift_(layout.sequence().shift),
      timestamp_shift_(layout.timestamp().shift),
      random_key_(random_key),
      rest_(std::make_unique<Rest>(std::move(layout), id)) {}

Node::~Node() { release(true); }

const Layout& Node::layout() const { return rest_->layout; }
std::uint64_t Node::id() const { return rest_->id; }
Counters& Node::counters() const { return rest_->counters; }
const std::string& Node::space() const noexcept { return rest_->space; }

void Node::join() { rest_->users.fetch_add(1, std::memory_order_relaxed); }
// Release, paired with in_use(): a thread that finds the node unused sees everything the generator
// issued.
void Node::leave() { rest_->users.fetch_sub(1, std::memory_order_release); }
bool Node::in_use() const { return rest_->users.load(std::memory_order_acquire) != 0; }

bool Node::extending() const { return rest_->turn.taken(); }

const std::string& Node::guard() const { return rest_->guard; }
void Node::guard_by(const std::string& home) { rest_->guard = home; }

Clock& Node::clock() const { return clock_ == nullptr ? g_system.clock : *clock_; }

void Node::Rest::freeze_grant_of(Node& node) {
  Grant* const current = node.grant();
  if (current == nullptr) return;
  const std::uint64_t last = current->freeze();
  if (last == Grant::kFrozen) return;
  // A call about to jump has added positions to `skipped` that it may not get to skip.
  const std::uint64_t skipped = current->skipped.load(std::memory_order_relaxed);
  const std::uint64_t taken = last - current->begin;
  issued_before.fetch_add(taken > skipped ? taken - skipped : 0, std::memory_order_relaxed);
  if (last == current->begin) return;  // it issued nothing, and may begin in the future
  last_tick.store(std::max(last_tick.load(std::memory_order_relaxed), node.tick_of(last)), std::memory_order_release);
  issued_any = true;
}

void Node::adopt(std::uint64_t start_tick, std::uint64_t until_tick, std::unique_ptr<Reservation> reservation,
                 Grant::Owner owner) {
  const InTurn lock(rest_->turn);
  const Grant::Growth growth = reservation == nullptr ? Grant::Growth{0, 0, 0, false} : reservation->growth();
  rest_->grants.push_back(std::make_unique<Grant>(start_tick, until_tick, sequence_bits_, owner, growth));
  rest_->freeze_grant_of(*this);
  if (rest_->issued_any) start_tick = std::max(start_tick, rest_->last_tick.load(std::memory_order_relaxed) + 1);
  start_tick = std::max(start_tick, rest_->skipped_to.load(std::memory_order_relaxed));
  if (start_tick >= rest_->layout.end_tick()) {
    lost_.store(true, std::memory_order_release);
    refuse_exhausted(rest_->layout);
  }
  rest_->grants.back()->begin_at(first_of(start_tick));
  rest_->reservation = std::move(reservation);
  lost_.store(false, std::memory_order_release);
  // The clock of the first ids, which may come without a jump.
  rest_->counters.clock_seen.store(std::min(now(), static_cast<std::int64_t>(start_tick)), std::memory_order_relaxed);
  // Release: a thread that sees the grant sees its window.
  grant_.store(rest_->grants.back().get(), std::memory_order_release);
}

void Node::skip_to(std::uint64_t tick) {
  // Remembered, since a grant that issues nothing leaves no other trace of it. Relaxed: the bound
  // publishes no other data.
  std::uint64_t skipped_to = rest_->skipped_to.load(std::memory_order_relaxed);
  while (skipped_to < tick && !rest_->skipped_to.compare_exchange_weak(skipped_to, tick, std::memory_order_relaxed)) {
  }
  Grant& current = *grant();
  const std::uint64_t position = first_of(tick);
  std::uint64_t last = current.last.load(std::memory_order_acquire);
  while (last < position) {  // a frozen grant is above every position
    const std::uint64_t gap = position - last;
    current.skipped.fetch_add(gap, std::memory_order_relaxed);
    if (current.last.compare_exchange_strong(last, position, std::memory_order_acq_rel)) return;
    current.skipped.fetch_sub(gap, std::memory_order_relaxed);
  }
}

Extension Node::extend(Grant& grant, std::uint64_t tick) {
  if (!rest_->turn.try_lock()) return Extension::busy;
  const InTurn lock(rest_->turn, InTurn::AlreadyLocked{});
  // Another thread may have extended or replaced the grant before this one had its turn.
  const bool needed =
      &grant == this->grant() && rest_->reservation != nullptr && tick >= grant.until.load(std::memory_order_acquire);
  return needed ? rest_->extend(*this, grant, tick, true) : Extension::done;
}

Extension Node::renew(Grant& grant, bool must) {
  if (!rest_->turn.try_lock()) return Extension::busy;
  const InTurn lock(rest_->turn, InTurn::AlreadyLocked{});
  const bool grows = &grant == this->grant() && rest_->reservation != nullptr;
  return grows ? rest_->extend(*this, grant, 0, must) : Extension::done;
}

Extension Node::Rest::extend(Node& node, Grant& grant, std::uint64_t tick, bool must) {
  const Extension extension = reservation->extend(grant, tick);
  if (extension == Extension::unread && must && grant.of_this_execution())
    std::rethrow_exception(reservation->failure());
  if (extension != Extension::lost) return extension;
  // A copy of the process, made during the call: its next look finds that out.
  if (!grant.of_this_execution()) return Extension::done;
  const std::exception_ptr failure = reservation->failure();
  freeze_grant_of(node);
  reservation.reset();
  node.lost_.store(true, std::memory_order_release);
  if (failure != nullptr) std::rethrow_exception(failure);
  return Extension::done;
}

std::int64_t Node::wait_ns(std::int64_t waited_ns, bool begins_soon) const {
  constexpr std::int64_t kMomentNs = 200'000;
  const Grant& current = *grant();
  const std::uint64_t next = current.last.load(std::memory_order_acquire) + 1;
  const std::uint64_t tick = std::max(static_cast<std::uint64_t>(std::max<std::int64_t>(now(), 0)), tick_of(next));
  if (tick < current.until.load(std::memory_order_acquire)) return -1;
  if (!rest_->turn.try_lock()) return kMomentNs;
  const InTurn lock(rest_->turn, InTurn::AlreadyLocked{});
  // Time spent waiting for the window's beginning does not count as waiting for the store.
  const std::int64_t begun_ms = (now() - static_cast<std::int64_t>(tick_of(current.begin))) * tick_ms_;
  if (begins_soon) waited_ns = std::min(waited_ns, std::max<std::int64_t>(begun_ms, 0) * 1'000'000);
  return rest_->reservation == nullptr ? -1 : rest_->reservation->wait_ns(waited_ns);
}

void Node::release(bool patient, const void* holder) noexcept {
  // Checked before the lock: in a copy of the process a thread that does not exist there may hold
  // it.
  if (grant() == nullptr || !grant()->of_this_execution()) return;
  Rest& rest = *rest_;
  if (patient) {
    rest.turn.lock();
  } else if (!rest.turn.try_lock()) {
    return;
  }
  const InTurn lock(rest.turn, InTurn::AlreadyLocked{});
  if (rest.reservation == nullptr || !rest.is_of(holder)) return;
  const std::uint64_t begin_tick = tick_of(grant()->begin);
  rest.freeze_grant_of(*this);
  rest.reservation->release(std::max(rest.last_tick.load(std::memory_order_relaxed), begin_tick));
  rest.reservation.reset();
  lost_.store(true, std::memory_order_release);
}

void Node::retire(const void* holder) {
  const InTurn lock(rest_->turn);
  if (!rest_->is_of(holder)) return;
  rest_->freeze_grant_of(*this);
  rest_->reservation.reset();
  lost_.store(true, std::memory_order_release);
}

void Node::mark_number() { rest_->number_mark.take(rest_->layout.fingerprint(), rest_->id); }
bool Node::mark_process() { return rest_->mark.take(rest_->layout.fingerprint(), rest_->id); }

std::string Node::keeper() const {
  if (!rest_->turn.try_lock()) return "";
  const InTurn lock(rest_->turn, InTurn::AlreadyLocked{});
  return rest_->reservation != nullptr ? rest_->reservation->keeper() : "";
}

std::string Node::way_back() const {
  if (!rest_->turn.try_lock()) return "";
  const InTurn lock(rest_->turn, InTurn::AlreadyLocked{});
  return rest_->reservation != nullptr ? rest_->reservation->way_back() : "";
}

std::uint64_t Node::first_free_tick() const {
  const Grant* const current = grant();
  if (current == nullptr) return 0;  // an opening failed
  const std::uint64_t last = current->last.load(std::memory_order_acquire);
  // If the grant issued nothing, everything stamped earlier is below its beginning.
  if (last == current->begin) return tick_of(last);
  // A frozen grant may have issued nothing, too. Then the only known bound is the tick it was to
  // skip to.
  return std::max(last_tick() + 1, rest_->skipped_to.load(std::memory_order_relaxed));
}

std::uint64_t Node::last_tick() const {
  // Takes no lock: this thread may hold it, and be in a signal handler.
  const std::uint64_t last = grant()->last.load(std::memory_order_acquire);
  const std::uint64_t before = rest_->last_tick.load(std::memory_order_acquire);
  return last >= Grant::kFrozen ? before : std::max(before, tick_of(last));
}

std::uint64_t Node::issued(std::uint64_t unused) const {
  std::uint64_t issued = rest_->issued_before.load(std::memory_order_relaxed);
  if (const Grant* const current = grant()) {
    // `last` before `skipped`: a jump adds to `skipped` first, so the difference can only be too
    // low.
    const std::uint64_t last = current->last.load(std::memory_order_acquire);
    const std::uint64_t skipped = current->skipped.load(std::memory_order_relaxed) + unused;
    if (last != Grant::kFrozen && last - current->begin > skipped) issued += last - current->begin - skipped;
  }
  std::uint64_t reported = rest_->counters.issued_reported.load(std::memory_order_relaxed);
  while (reported < issued &&
         !rest_->counters.issued_reported.compare_exchange_weak(reported, issued, std::memory_order_relaxed)) {
  }
  return std::max(reported, issued);
}

}  // namespace polyflake
