#include "lease/holding.hpp"

#include <algorithm>
#include <utility>

#include "issue/reservation.hpp"
#include "lease/namespace_rules.hpp"
#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

// What a node has of the lease: it asks nobody, and only looks.
class LeaseReservation final : public Reservation {
 public:
  LeaseReservation(std::shared_ptr<Standing> standing, const Layout& layout, Grant::Growth growth)
      : standing_(std::move(standing)), layout_(layout), growth_(growth) {}

  Grant::Growth growth() const override { return growth_; }

  Extension extend(Grant& grant, std::uint64_t tick) noexcept override {
    // Whether it grows before how far it reaches: it may have grown for the last time in between.
    const bool ended = standing_->ended.load(std::memory_order_acquire);
    if (tick < grant.until.load(std::memory_order_acquire)) return Extension::done;
    return ended ? Extension::lost : Extension::not_yet;
  }

  std::int64_t wait_ns(std::int64_t waited_ns) const override { return standing_->wait_ns(waited_ns); }

  void release(std::uint64_t last_tick) noexcept override {
    const std::uint64_t free_tick = last_tick + (keeps(Rule::given_back_above_stamps) ? 1 : 0);
    standing_->stamped_until_ms.store(layout_.time_of(free_tick), std::memory_order_release);
  }

  const void* holder() const override { return standing_.get(); }
  std::string place() const override { return standing_->place(); }

 private:
  const std::shared_ptr<Standing> standing_;
  const Layout layout_;
  const Grant::Growth growth_;
};

}  // namespace

// --- standing ---------------------------------------------------------------------------------------

// Every piece ends late by what the system takes to wake a thread, so there are not many of them.
std::int64_t Standing::wait_ns(std::int64_t waited_ns) const {
  constexpr std::int64_t kMomentNs = 1'000'000;
  constexpr std::int64_t kLongestNs = 20'000'000;
  if (waited_ns / 1'000'000 < renew_wait_ms_) return std::clamp(waited_ns / 8, kMomentNs, kLongestNs);
  const Failure failure = this->failure();
  throw Error(failure.code, failure.message);
}

Failure Standing::failure() const {
  if (!turn_.try_lock()) return {ErrorCode::store_unavailable, "the lease of " + place_ + " has no window now"};
  const InTurn lock(turn_, InTurn::Given{});
  return failure_;
}

void Standing::set_failure(Failure failure) {
  code_.store(failure.code, std::memory_order_relaxed);
  const InTurn lock(turn_);
  failure_ = std::move(failure);
}

// --- holding ----------------------------------------------------------------------------------------

Holding::Holding(Layout layout, Settings settings, Random& random, World world, std::string place,
                 std::int64_t renew_wait_ms)
    : layout_(std::move(layout)),
      world_(std::move(world)),
      word_(world_.word),
      execution_(world_.execution()),
      asked_by_(execution_),
      standing_(std::make_shared<Standing>(std::move(place), renew_wait_ms)),
      machine_(std::move(settings), random) {
  standing_->set_failure({ErrorCode::store_unavailable, standing_->place() + " has not granted a node id yet"});
}

Holding::Holding(const Holding& original, World world, std::uint64_t execution)
    : layout_(original.layout_),
      world_(std::move(world)),
      word_(world_.word),
      execution_(execution),
      asked_by_(original.asked_by_),
      standing_(std::make_shared<Standing>(original.standing_->place(), 0)),
      machine_(original.machine_),
      successor_(original.successor_),
      held_until_ms_(original.held_until_ms_) {
  Node* const theirs = original.node_.load(std::memory_order_relaxed);
  if (theirs == nullptr) return;
  const Grant& right = *theirs->grant();
  Node& node = world_.node(theirs->id());
  node.adopt(theirs->tick_of(right.begin), right.until.load(std::memory_order_relaxed),
             std::make_unique<LeaseReservation>(standing_, layout_, growth()), Grant::Owner(execution, *word_));
  grant_ = node.grant();
  const std::uint64_t last = right.last.load(std::memory_order_relaxed);
  const bool frozen = last >= Grant::kFrozen;
  grant_->last.store(frozen ? theirs->first_of(theirs->first_free_tick()) : last, std::memory_order_relaxed);
  // A grant that issued nothing may have been told to skip, which the node remembers.
  node.skip_to(node.tick_of(grant_->last.load(std::memory_order_relaxed)));
  if (frozen) node.retire(standing_.get());
  node_.store(&node, std::memory_order_relaxed);
}

void Holding::refuse_copy() const {
  if (ours() || !keeps(Rule::copies_never_release)) return;
  throw Error(ErrorCode::forked_generator,
              "the lease of " + standing_->place() + " belongs to the process this one was copied from");
}

Action Holding::poll(Time now) {
  refuse_copy();
  const std::int64_t stamped_until_ms = standing_->stamped_until_ms.load(std::memory_order_acquire);
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
      case Action::Kind::read:
      case Action::Kind::cas: asked_by_ = world_.execution(); return action;
      case Action::Kind::sleep:
        if (successor_) action.mono_ms = std::min(action.mono_ms, now.mono_ms + due_ms() - now.wall_ms);
        return action;
      default: return action;
    }
  }
}

void Holding::raise(const Window& window, Time now) {
  if (successor_) {
    successor_->window = window;
  } else {
    held_until_ms_ = window.until_ms;
    // Release: what the store confirmed is seen before the window it confirmed.
    grant_->until.store(ticks_before(window.until_ms), std::memory_order_release);
  }
  note_window(window, now);  // last, for who waits for that
}

// The store has forgotten the window, and may grant it to others.
void Holding::freeze(const Window& window) {
  successor_.reset();
  if (Node* const node = node_.load(std::memory_order_relaxed)) node->retire(standing_.get());
  held_until_ms_ = INT64_MIN;
  note_loss(window);
}

// A window that begins later does not end the one that is left.
std::int64_t Holding::due_ms() const { return std::min(successor_->window.start_ms, held_until_ms_); }

// False where the layout has no time left for it.
bool Holding::take_successor(Time now) try {
  if (!successor_ || now.wall_ms < due_ms()) return true;
  adopt(successor_->window, successor_->asked_by);
  successor_.reset();
  return true;
} catch (const Error& error) {
  standing_->set_failure({error.code(), error.what()});
  return false;
}

void Holding::adopt(const Window& window, std::uint64_t asked_by) {
  Node& node = world_.node(window.node);
  if (!keeps(Rule::execution_of_request)) asked_by = world_.execution();
  Node* const former = node_.load(std::memory_order_relaxed);
  const std::uint64_t start = first_tick_from(window.start_ms);
  standing_->window_ms.store(machine_.names()->window_ms, std::memory_order_relaxed);
  standing_->ended.store(false, std::memory_order_release);
  node.adopt(start, std::max(start, ticks_before(window.until_ms)),
             std::make_unique<LeaseReservation>(standing_, layout_, growth()), Grant::Owner(asked_by, *word_));
  if (former != nullptr && former != &node) {
    former->retire(standing_.get());
    if (keeps(Rule::successor_starts_above)) node.skip_to(former->first_free_tick());
  }
  grant_ = node.grant();
  // Whoever sees the node sees its grant. Sequentially consistent, as in release().
  node_.store(&node, std::memory_order_seq_cst);
  // Of an empty window nothing is left.
  held_until_ms_ = window.start_ms < window.until_ms ? window.until_ms : INT64_MIN;
  // By a thread that may have seen the former node only: what was stamped from this one meanwhile is above the former mark.
  if (released_.load(std::memory_order_seq_cst) && keeps(Rule::freeze_before_release))
    node.release(true, standing_.get());
}

// What would be said if no longer window were confirmed in time.
void Holding::note_window(const Window& window, Time now) {
  const NamespaceRecord& names = *machine_.names();
  const bool far = window.start_ms > now.wall_ms + names.window_ms + 4 * names.tolerance_ms;
  const std::string node = "node id " + std::to_string(window.node) + " of " + standing_->place();
  standing_->set_failure({ErrorCode::store_unavailable,
                          window.start_ms < window.until_ms
                              ? "the window of " + node + " is over, and the store has confirmed no longer one yet"
                              : "no id of " + node + " may be had before " + std::to_string(window.start_ms) +
                                    " ms since 1970 by this host's clock, and until the store has confirmed it then" +
                                    (far ? std::string(". ") + kEarlierFloor : "")});
  standing_->confirmations.fetch_add(1, std::memory_order_release);
}

void Holding::note_loss(const Window& window) {
  if (!machine_.trouble()) {
    standing_->set_failure({ErrorCode::lease_lost, "node id " + std::to_string(window.node) + " of " +
                                                       standing_->place() +
                                                       " is lost, and no other one was granted yet"});
  }
  standing_->ended.store(true, std::memory_order_release);
}

// For those that may not look at it themselves.
void Holding::look_at_machine() {
  standing_->renewals.store(machine_.renewals(), std::memory_order_relaxed);
  standing_->failures.store(machine_.failures(), std::memory_order_relaxed);
  standing_->troubled.store(machine_.trouble().has_value(), std::memory_order_relaxed);
  if (machine_.trouble()) standing_->set_failure(*machine_.trouble());
}

void Holding::deliver(std::uint64_t number, const Contents& contents, Time now) {
  refuse_copy();
  machine_.deliver(number, contents, now);
  look_at_machine();
}

void Holding::deliver(std::uint64_t number, const Answer& answer, Time now) {
  refuse_copy();
  machine_.deliver(number, answer, now);
  look_at_machine();
}

void Holding::deliver_nothing(std::uint64_t number, const std::string& reason, Time now) {
  refuse_copy();
  machine_.deliver_nothing(number, reason, now);
  look_at_machine();
}

void Holding::release() noexcept {
  if (!ours() && keeps(Rule::copies_never_release)) return;
  // Before it looks for the node: whichever comes later, this or a window that is just being taken up, sees the other.
  released_.store(true, std::memory_order_seq_cst);
  Node* const node = node_.load(std::memory_order_seq_cst);
  const bool freezes = ours() && keeps(Rule::freeze_before_release);
  if (node != nullptr && freezes) node->release(true, standing_.get());
  if (node != nullptr && !freezes) standing_->stamped_until_ms.store(layout_.time_of(node->first_free_tick()));
  // Without a window there is nothing to lower.
  std::int64_t none = -1;
  standing_->stamped_until_ms.compare_exchange_strong(none, INT64_MAX, std::memory_order_acq_rel);
}

Node* Holding::node() const { return ours() ? node_.load(std::memory_order_acquire) : nullptr; }

// As the namespace says. A window begins at most a quarantine after the clock of whoever settled it, which may be as wrong as
// ours.
Grant::Growth Holding::growth() const {
  const NamespaceRecord& names = *machine_.names();
  const std::int64_t window = std::max<std::int64_t>(names.window_ms / layout_.tick_ms(), 1);
  return {window, 0, (names.window_ms + 4 * names.tolerance_ms) / layout_.tick_ms() + 1, true};
}

// The first tick that begins at this instant or later.
std::uint64_t Holding::first_tick_from(std::int64_t unix_ms) const {
  const std::int64_t ms = std::max<std::int64_t>(unix_ms - layout_.epoch_ms(), 0);
  return std::min(static_cast<std::uint64_t>((ms + layout_.tick_ms() - 1) / layout_.tick_ms()), layout_.end_tick());
}

// How many ticks are over by this instant.
std::uint64_t Holding::ticks_before(std::int64_t unix_ms) const {
  const std::int64_t ms = std::max<std::int64_t>(unix_ms - layout_.epoch_ms(), 0);
  const std::int64_t begun = keeps(Rule::whole_ticks_in_window) ? 0 : 1;
  return std::min(static_cast<std::uint64_t>(ms / layout_.tick_ms() + begun), layout_.end_tick());
}

}  // namespace polyflake::lease
