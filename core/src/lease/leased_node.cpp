#include "lease/leased_node.hpp"

#include <optional>

#include "lease/rules.hpp"

namespace polyflake::lease {

Node& LeasedNodeProvider::open() {
  Node* const node = current_->load(std::memory_order_acquire)->node();
  if (node == nullptr) throw Error(ErrorCode::store_unavailable, "the lease has no window yet");
  node->join();
  return *node;
}

Node* LeasedNodeProvider::reopen(Node& old) {
  runner_->start_in_copy();
  Node* const node = current_->load(std::memory_order_acquire)->node();
  if (node == nullptr || !node->usable()) return nullptr;
  // Above everything the generator issued before, even in the original of this copy of the process.
  if (node != &old && keeps(Rule::successor_starts_above)) node->skip_to(old.first_free_tick());
  node->join();
  return node;
}

std::int64_t LeasedNodeProvider::wait_ns(std::int64_t waited_ns, std::int64_t) const {
  const HeldNodeId* const held = current_->load(std::memory_order_acquire);
  const Node* const node = held->node();
  return node != nullptr && node->usable() ? -1 : held->status()->wait_ns(waited_ns);
}

GeneratorState LeasedNodeProvider::after_loss() const noexcept {
  const ErrorCode code = status().code();
  return {code == ErrorCode::lease_lost ? GeneratorState::Name::lost : GeneratorState::Name::waiting, code};
}

std::optional<ErrorCode> LeasedNodeProvider::withheld_by() const noexcept { return status().code(); }

// The copy's own holding may have a fault; before there is one, nothing is known.
GeneratorState LeasedNodeProvider::after_fork() const noexcept {
  const HeldNodeId& held = *current_->load(std::memory_order_acquire);
  const bool fails = held.of_this_execution() && held.status()->failing.load(std::memory_order_relaxed);
  if (fails) return {GeneratorState::Name::waiting, held.status()->code()};
  return {GeneratorState::Name::starting, std::nullopt};
}

const Node* LeasedNodeProvider::successor() const noexcept {
  const Node* const node = current_->load(std::memory_order_acquire)->node();
  return node != nullptr && node->usable() ? node : nullptr;
}

void LeasedNodeProvider::report(Stats& stats) const noexcept {
  stats.renewals = status().renewals.load(std::memory_order_relaxed);
  stats.store_failures = status().failures.load(std::memory_order_relaxed);
}

}  // namespace polyflake::lease
