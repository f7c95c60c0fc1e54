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
  const Holding* const holding = current_->load(std::memory_order_acquire);
  if (!holding->ours()) in_copy_();
  Node* const node = holding->node();
  if (node == nullptr || !node->usable()) return nullptr;
  // Above what the generator gave before, also where that was in the original of this copy.
  if (node != &old && keeps(Rule::successor_starts_above)) node->skip_to(old.first_free_tick());
  node->join();
  return node;
}

std::int64_t LeasedNodeProvider::wait_ns(std::int64_t waited_ns, std::int64_t) const {
  const Holding* const holding = current_->load(std::memory_order_acquire);
  const Node* const node = holding->node();
  return node != nullptr && node->usable() ? -1 : holding->standing()->wait_ns(waited_ns);
}

GeneratorState LeasedNodeProvider::after_loss() const noexcept {
  const Holding& holding = *current_->load(std::memory_order_acquire);
  const Node* const node = holding.node();
  // There is a successor: the next call finds it.
  if (node != nullptr && node->usable()) return {GeneratorState::Name::open, std::nullopt};
  return {GeneratorState::Name::lost, holding.standing()->code()};
}

std::optional<ErrorCode> LeasedNodeProvider::withheld_by() const noexcept {
  return current_->load(std::memory_order_acquire)->standing()->code();
}

GeneratorState LeasedNodeProvider::after_fork() const noexcept {
  return {GeneratorState::Name::starting, std::nullopt};
}

}  // namespace polyflake::lease
