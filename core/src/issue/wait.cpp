// Waiting until the tick of a claimed id comes, or until a position can be claimed; and the calls
// that wait here.
#include <polyflake/error.hpp>

#include <algorithm>
#include <string>

#include "issue/current_tick.hpp"
#include "issue/issuing.hpp"
#include "issue/node_provider.hpp"
#include "issue/node_table.hpp"
#include "issue/reservation.hpp"

namespace polyflake {
namespace {

// The allowance is for machines that wake sleepers late.
bool waited_too_long(std::int64_t ns, std::int64_t waited_ns, std::int64_t agreed_ms) {
  constexpr std::int64_t kAllowanceMs = 100;
  if (ns <= 0) return false;  // due, however long this process was stopped meanwhile
  return ns / kNsPerMs > agreed_ms || waited_ns / kNsPerMs > 2 * agreed_ms + kAllowanceMs;
}

// Returns a moment in ns while another call has its turn; -1 when that is over.
std::int64_t wait_for_turn_ns(bool taken, std::int64_t longest_ms, std::int64_t waited_ns) {
  constexpr std::int64_t kMomentNs = 200'000;
  if (!taken) return -1;
  if (waited_ns / kNsPerMs < longest_ms) return kMomentNs;
  throw Error(ErrorCode::registry_unusable,
              "another call, or the one that a signal handler interrupted, has been at the "
              "registry files of this process for more than the " +
                  std::to_string(longest_ms) +
                  " ms that this one may wait; try again later, raise max_wait_ms, or call "
                  "renew ahead of need");
}

}  // namespace

std::uint64_t claimable_from(const Pace& pace, const Node& node, const Grant& grant, std::uint64_t last) {
  const std::uint64_t tick = node.tick_of(last + 1);
  if (awaits_lease(grant, last)) return tick;
  const auto before = [tick](std::int64_t ticks) { return tick - std::min(tick, static_cast<std::uint64_t>(ticks)); };
  const std::uint64_t allowed = before(pace.lead_ticks + pace.wait_ticks);
  if (grant.growth.window == 0 || tick < grant.until.load(std::memory_order_acquire)) return allowed;
  return std::max(allowed, before(grant.growth.window - 1));  // no window reaches further
}

std::int64_t NodeProvider::wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const {
  NodeTable* const table = NodeTable::existing();
  return wait_for_turn_ns(table != nullptr && table->opening.taken(), longest_ms, waited_ns);
}

// The wait of id 0: until anything can be claimed. with_store: `none` ends at once, with the
// reason, if only a store can help.
std::int64_t Generator::wait_for_claim_ns(std::int64_t waited_ns, Patience with_store) {
  constexpr std::int64_t kLongestOpeningMs = 2000;
  Node& node = *node_.load(std::memory_order_acquire);
  const bool impatient = with_store == Patience::none && node.grant()->growth.by_lease;
  const std::int64_t asked_ns = impatient ? kCannotWaitNs : waited_ns;
  const std::int64_t agreed_ms = pace_.wait_ticks * layout_.tick_ms();
  if (!node.usable()) return provider_->wait_ns(asked_ns, std::max(agreed_ms, kLongestOpeningMs));
  const Grant& grant = *node.grant();
  const std::uint64_t last = grant.last.load(std::memory_order_acquire);
  // A start takes longer than the agreed wait for the clock, and a call that waits for it also
  // waits for the flush that opens it.
  const bool starting = last == grant.begin;
  const std::int64_t longest_ms = std::max(agreed_ms, starting ? longest_start_ticks(grant) * layout_.tick_ms() : 0);
  const std::int64_t longest_turn_ms = starting ? longest_ms + kLongestOpeningMs : agreed_ms;
  if (last >= Grant::kFrozen) return wait_for_turn_ns(node.extending(), longest_turn_ms, waited_ns);
  const std::int64_t from_ms = layout_.time_of(claimable_from(pace_, node, grant, last));
  const std::int64_t ns = node.clock().advance_to(from_ms) ? 0 : node.clock().ns_until(from_ms);
  if (ns <= 0 && node.extending()) return wait_for_turn_ns(true, longest_turn_ms, waited_ns);
  if (ns <= 0) return node.wait_ns(asked_ns, !impatient);
  if (!waited_too_long(ns, waited_ns, longest_ms)) return ns;
  // A store decides when the window begins, so do not blame this host's clock.
  if (awaits_lease(grant, last)) return node.wait_ns(asked_ns, false);
  // The clock was set back meanwhile, or does not advance.
  refuse_clock_behind(pace_, node, grant, node.tick_of(last + 1));
}

std::int64_t Generator::claimable_in_ns() {
  if (closed()) refuse_closed();
  return std::max<std::int64_t>(wait_for_claim_ns(0, Patience::none), 0);
}

std::int64_t Generator::wait_ns(std::uint64_t id, std::int64_t waited_ns) {
  // So short that a waiting call soon notices close(), or a clock set forward.
  constexpr std::int64_t kLongestNs = 100 * kNsPerMs;
  if (closed()) refuse_closed();
  if (id == 0) return std::min(wait_for_claim_ns(waited_ns), kLongestNs);
  Node& node = *node_.load(std::memory_order_acquire);
  const Field& timestamp = layout_.timestamp();
  const auto tick = static_cast<std::int64_t>(id >> timestamp.shift & ones(timestamp.width));
  const std::int64_t due_ms =
      layout_.time_of(static_cast<std::uint64_t>(std::max<std::int64_t>(tick - pace_.lead_ticks, 0)));
  const std::int64_t ns = node.clock().advance_to(due_ms) ? 0 : node.clock().ns_until(due_ms);
  // The clock stepped back after the id was claimed, or does not advance: no call waits longer than
  // agreed.
  const bool too_long = waited_too_long(ns, waited_ns, pace_.wait_ticks * layout_.tick_ms());
  // Checked last: a copy of the process that a signal handler makes meanwhile must discard the id.
  if (!node.grant()->of_this_execution() || (id & layout_.node_mask()) != node.node_bits()) return -1;
  if (too_long) refuse_clock_behind(pace_, node, *node.grant(), static_cast<std::uint64_t>(tick));
  return std::min(ns, kLongestNs);
}

bool Generator::wait_until_due(std::uint64_t id) {
  std::int64_t waited_ns = 0;
  for (;;) {
    const std::int64_t ns = wait_ns(id, waited_ns);
    if (ns <= 0) return ns == 0;
    waited_ns += sleep_ns(ns);
  }
}

std::uint64_t Generator::next_id_slowly() {
  std::int64_t id = claim_slowly();
  while (id < 0) {
    const auto claimed = static_cast<std::uint64_t>(~id);
    id = wait_until_due(claimed) ? ~id : claim_slowly();
  }
  return static_cast<std::uint64_t>(id);
}

void Generator::renew() {
  constexpr std::int64_t kMomentNs = 1'000'000;
  constexpr std::int64_t kLongestNs = 30'000 * kNsPerMs;
  std::int64_t waited_ns = 0;
  for (;;) {
    Node* const node = usable_node();
    if (node != nullptr) {
      // Refuses a wrong clock while nothing is lost yet.
      current_tick(layout_, node->clock().now_ms());
      Grant& grant = *node->grant();
      const Extension extension = node->renew(grant);
      if (extension == Extension::late) refuse_late(*node);
      if (extension != Extension::busy && node->usable()) return provider_->renew();
    } else {
      provider_->wait_ns(waited_ns, kLongestNs / kNsPerMs);
    }
    if (waited_ns > kLongestNs) wait_for_turn_ns(true, kLongestNs / kNsPerMs, waited_ns);
    waited_ns += sleep_ns(kMomentNs);
  }
}

}  // namespace polyflake
