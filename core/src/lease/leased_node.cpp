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
  Node* const node = current_->load(std::memory_order_acquire)->node();
  if (node == nullptr || !node->usable()) return nullptr;
  // Above what the generator gave before, also where that was in the original of this copy.
  if (node != &old && keeps(Rule::successor_starts_above)) node->skip_to(old.first_free_tick());
  node->join();
  return node;
}

std::int64_t LeasedNodeProvider::wait_ns(std::int64_t waited_ns, std::int64_t) const {
  return current_->load(std::memory_order_acquire)->standing()->wait_ns(waited_ns);
}

GeneratorState LeasedNodeProvider::after_fork() const noexcept {
  return {GeneratorState::Name::starting, std::nullopt};
}

}  // namespace polyflake::lease
