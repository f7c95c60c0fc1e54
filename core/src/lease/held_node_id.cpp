#include "lease/held_node_id.hpp"

#include <algorithm>
#include <utility>

#include "issue/reservation.hpp"
#include "lease/namespace_rules.hpp"
#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

// A node's view of the lease: it only reads, and requests nothing.
class LeaseReservation final : public Reservation {
 public:
  LeaseReservation(std::shared_ptr<LeaseStatus> status, const Layout& layout, Grant::Growth growth)
      : status_(std::move(status)), layout_(layout), growth_(growth) {}

  Grant::Growth growth() const override { return growth_; }

  Extension extend(Grant& grant, std::uint64_t tick) noexcept override {
    // Read `ended` before `until`: the window may have grown for the last time in between.
    const bool ended = status_->ended.load(std::memory_order_acquire);
    if (tick < grant.until.load(std::memory_order_acquire)) return Extension::done;
    return ended ? Extension::lost : Extension::not_yet;
  }

  std::int64_t wait_ns(std::int64_t waited_ns) const override { return status_->wait_ns(waited_ns); }

  void release(std::uint64_t last_tick) noexcept override {
    const std::uint64_t free_tick = last_tick + (keeps(Rule::given_back_above_stamps) ? 1 : 0);
    status_->stamped_until_ms.store(layout_.time_of(free_tick), std::memory_order_release);
  }

  const void* holder() const override { return status_.get(); }
  std::string keeper() const override { return status_->keeper(); }

 private:
  const std::shared_ptr<LeaseStatus> status_;
  const Layout layout_;
  const Grant::Growth growth_;
};

}  // namespace

// --- standing ------------------------------------------------------------------------------------

// Waits in few pieces: each ends late by the time that the system takes to wake a thread.
std::int64_t LeaseStatus::wait_ns(std::int64_t waited_ns) const {
  constexpr std::int64_t kMomentNs = 1'000'000;
  constexpr std::int64_t kLongestNs = 20'000'000;
  const bool in_vain = failing.load(std::memory_order_relaxed) && waited_in_vain_.load(std::memory_order_relaxed);
  if (!in_vain && waited_ns / 1'000'000 < renew_wait_ms_) return std::clamp(waited_ns / 8, kMomentNs, kLongestNs);
  if (waited_ns != kCannotWaitNs) waited_in_vain_.store(true, std::memory_order_relaxed);
  const Failure failure = this->failure();
  throw Error(failure.code, failure.message);
}

Failure LeaseStatus::failure() const {
  constexpr int kTries = 1000;
  for (int tries = 0; !turn_.try_lock(); ++tries) {
    if (tries == kTries) return {code(), "the lease of " + keeper_ + " has no window now"};
  }
  const InTurn lock(turn_, InTurn::AlreadyLocked{});
  return failure_;
}

void LeaseStatus::set_failing(bool fails) {
  failing.store(fails, std::memory_order_relaxed);
  if (!fails) waited_in_vain_.store(false, std::memory_order_relaxed);
}

void LeaseStatus::set_failure(Failure failure) {
  code_.store(failure.code, std::memory_order_relaxed);
  const InTurn lock(turn_);
  failure_ = std::move(failure);
}

// --- holding -------------------------------------------------------------------------------------

HeldNodeId::HeldNodeId(Layout layout, Settings settings, Random& random, ProcessHooks hooks, std::string keeper,
                       std::int64_t renew_wait_ms)
    : layout_(std::move(layout)),
      hooks_(std::move(hooks)),
      execution_word_(hooks_.execution_word),
      execution_(hooks_.execution()),
      asked_by_(execution_),
      status_(std::make_shared<LeaseStatus>(std::move(keeper), renew_wait_ms)),
      machine_(std::move(settings), random) {
  status_->set_failure({ErrorCode::store_unavailable, status_->keeper() + " has not granted a node id yet"});
}

HeldNodeId::HeldNodeId(const HeldNodeId& original, ProcessHooks hooks, std::uint64_t execution)
    : layout_(original.layout_),
      hooks_(std::move(hooks)),
      execution_word_(hooks_.execution_word),
      execution_(execution),
      asked_by_(original.asked_by_),
      status_(std::make_shared<LeaseStatus>(original.status_->keeper(), 0)),
      machine_(original.machine_),
      successor_(original.successor_),
      held_until_ms_(original.held_until_ms_) {
  Node* const theirs = original.node_.load(std::memory_order_relaxed);
  if (theirs == nullptr) return;
  const Grant& right = *theirs->grant();
  Node& node = hooks_.node(theirs->id());
  node.adopt(theirs->tick_of(right.begin), right.until.load(std::memory_order_relaxed),
             std::make_unique<LeaseReservation>(status_, layout_, growth()), Grant::Owner(execution, *execution_word_));
  grant_ = node.grant();
  const std::uint64_t last = right.last.load(std::memory_order_relaxed);
  const bool frozen = last >= Grant::kFrozen;
  grant_->last.store(frozen ? theirs->first_of(theirs->first_free_tick()) : last, std::memory_order_relaxed);
  // A grant that issued nothing may have been told to skip, and the node remembers that.
  node.skip_to(node.tick_of(grant_->last.load(std::memory_order_relaxed)));
  if (frozen) node.retire(status_.get());
  node_.store(&node, std::memory_order_relaxed);
}

void HeldNodeId::refuse_copy() const {
  if (of_this_execution() || !keeps(Rule::copies_never_release)) return;
  throw Error(ErrorCode::forked_generator,
              "the lease of " + status_->keeper() + " belongs to the process this one was copied from");
}

Action HeldNodeId::poll(Time now) {
  refuse_copy();
  const std::int64_t stamped_until_ms = status_->stamped_until_ms.load(std::memory_order_acquire);
  if (stamped_until_ms >= 0) {
    machine_.release(stamped_until_ms);
    successor_.reset();
  }
  for (;;) {
    if (!take_successor(now)) return {Action::Kind::failed};
    Action action = machine_.poll(now);
    switch (action.kind) {
      case Action::Kind::granted:
        successor_ = {action.window, asked_by_};
        note_window(action.window, now);
        break;
      case Action::Kind::raised: raise(action.window, now); break;
      case Action::Kind::lost:
        successor_.reset();
        note_loss(action.window);
        break;
      case Action::Kind::frozen: freeze(action.window); break;
      case Action::Kind::failed: look_at_machine(); return action;
      case Action::Kind::read:
      case Action::Kind::cas: asked_by_ = hooks_.execution(); return action;
      case Action::Kind::sleep:
        if (successor_) action.mono_ms = std::min(action.mono_ms, now.mono_ms + due_ms() - now.wall_ms);
        return action;
      default: return action;
    }
  }
}

void HeldNodeId::raise(const Window& window, Time now) {
  if (successor_) {
    successor_->window = window;
  } else {
    held_until_ms_ = window.until_ms;
    // Release: a thread that sees the window also sees the store's confirmation.
    grant_->until.store(ticks_before(window.until_ms), std::memory_order_release);
  }
  note_window(window, now);  // last, since callers wait for it
}

// The store has forgotten the window, and may grant it to another holder.
void HeldNodeId::freeze(const Window& window) {
  successor_.reset();
  if (Node* const node = node_.load(std::memory_order_relaxed)) node->retire(status_.get());
  held_until_ms_ = INT64_MIN;
  note_loss(window);
}

// A window that begins later does not end the rest of the present one.
std::int64_t HeldNodeId::due_ms() const { return std::min(successor_->window.start_ms, held_until_ms_); }

// Returns false if the layout has no time left for the successor.
bool HeldNodeId::take_successor(Time now) try {
  if (!successor_ || now.wall_ms < due_ms()) return true;
  adopt(successor_->window, successor_->asked_by);
  successor_.reset();
  return true;
} catch (const Error& error) {
  status_->set_failure({error.code(), error.what()});
  return false;
}

void HeldNodeId::adopt(const Window& window, std::uint64_t asked_by) {
  Node& node = hooks_.node(window.node);
  if (!keeps(Rule::execution_of_request)) asked_by = hooks_.execution();
  Node* const former = node_.load(std::memory_order_relaxed);
  const std::uint64_t start = first_tick_from(window.start_ms);
  status_->window_ms.store(machine_.space()->window_ms, std::memory_order_relaxed);
  status_->ended.store(false, std::memory_order_release);
  node.adopt(start, std::max(start, ticks_before(window.until_ms)),
             std::make_unique<LeaseReservation>(status_, layout_, growth()), Grant::Owner(asked_by, *execution_word_));
  if (former != nullptr && former != &node) {
    former->retire(status_.get());
    if (keeps(Rule::successor_starts_above)) node.skip_to(former->first_free_tick());
  }
  grant_ = node.grant();
  // A thread that sees the node sees its grant. Sequentially consistent, as in release().
  node_.store(&node, std::memory_order_seq_cst);
  // An empty window holds nothing.
  held_until_ms_ = window.start_ms < window.until_ms ? window.until_ms : INT64_MIN;
  // release() may have seen only the former node: ids stamped from this one since are above the
  // former mark, so release this one too.
  if (released_.load(std::memory_order_seq_cst) && keeps(Rule::freeze_before_release))
    node.release(true, status_.get());
}

// Sets the failure to report if no longer window is confirmed in time.
void HeldNodeId::note_window(const Window& window, Time now) {
  const NamespaceRecord& space = *machine_.space();
  const bool far = window.start_ms > now.wall_ms + space.window_ms + 4 * space.tolerance_ms;
  const std::string node = "node id " + std::to_string(window.node) + " of " + status_->keeper();
  status_->set_failure({ErrorCode::store_unavailable,
                        window.start_ms < window.until_ms
                            ? "the window of " + node + " is over, and the store has confirmed no longer one yet"
                            : "no id of " + node + " may be had before " + std::to_string(window.start_ms) +
                                  " ms since 1970 by this host's clock, and until the store has confirmed it then" +
                                  (far ? std::string(". ") + kEarlierFloor : "")});
  status_->confirmations.fetch_add(1, std::memory_order_release);
}

void HeldNodeId::note_loss(const Window& window) {
  if (!machine_.failure()) {
    status_->set_failure({ErrorCode::lease_lost, "node id " + std::to_string(window.node) + " of " + status_->keeper() +
                                                     " is lost, and no other one was granted yet"});
  }
  status_->ended.store(true, std::memory_order_release);
}

// Copies the machine's state for threads that may not read it.
void HeldNodeId::look_at_machine() {
  status_->renewals.store(machine_.renewals(), std::memory_order_relaxed);
  status_->failures.store(machine_.failures(), std::memory_order_relaxed);
  status_->set_failing(machine_.failure().has_value());
  if (const auto& failure = machine_.failure())
    status_->set_failure({failure->code, status_->keeper() + ": " + failure->message});
}

void HeldNodeId::deliver(std::uint64_t number, const Contents& contents, Time now) {
  refuse_copy();
  machine_.deliver(number, contents, now);
  look_at_machine();
}

void HeldNodeId::deliver(std::uint64_t number, const Answer& answer, Time now) {
  refuse_copy();
  machine_.deliver(number, answer, now);
  look_at_machine();
}

void HeldNodeId::deliver_nothing(std::uint64_t number, const std::string& reason, Time now) {
  refuse_copy();
  machine_.deliver_nothing(number, reason, now);
  look_at_machine();
}

void HeldNodeId::release() noexcept {
  if (!of_this_execution() && keeps(Rule::copies_never_release)) return;
  // Set before reading the node: a call that is just adopting a window sees this, or this sees its
  // node.
  released_.store(true, std::memory_order_seq_cst);
  Node* const node = node_.load(std::memory_order_seq_cst);
  const bool freezes = of_this_execution() && keeps(Rule::freeze_before_release);
  if (node != nullptr && freezes) node->release(true, status_.get());
  if (node != nullptr && !freezes) status_->stamped_until_ms.store(layout_.time_of(node->first_free_tick()));
  // Without a window there is no mark to lower.
  std::int64_t none = -1;
  status_->stamped_until_ms.compare_exchange_strong(none, INT64_MAX, std::memory_order_acq_rel);
}

Node* HeldNodeId::node() const { return of_this_execution() ? node_.load(std::memory_order_acquire) : nullptr; }

// Returns the growth that the namespace prescribes. A window begins at most a quarantine after the
// clock of the holder that settled the namespace, which may be as wrong as this one.
Grant::Growth HeldNodeId::growth() const {
  const NamespaceRecord& space = *machine_.space();
  const std::int64_t window = std::max<std::int64_t>(space.window_ms / layout_.tick_ms(), 1);
  return {window, 0, (space.window_ms + 4 * space.tolerance_ms) / layout_.tick_ms() + 1, true};
}

// Returns the first tick that begins at this instant or later.
std::uint64_t HeldNodeId::first_tick_from(std::int64_t unix_ms) const {
  const std::int64_t ms = std::max<std::int64_t>(unix_ms - layout_.epoch_ms(), 0);
  return std::min(static_cast<std::uint64_t>((ms + layout_.tick_ms() - 1) / layout_.tick_ms()), layout_.end_tick());
}

// Returns the number of ticks that are over by this instant.
std::uint64_t HeldNodeId::ticks_before(std::int64_t unix_ms) const {
  const std::int64_t ms = std::max<std::int64_t>(unix_ms - layout_.epoch_ms(), 0);
  const std::int64_t begun = keeps(Rule::whole_ticks_in_window) ? 0 : 1;
  return std::min(static_cast<std::uint64_t>(ms / layout_.tick_ms() + begun), layout_.end_tick());
}

}  // namespace polyflake::lease
