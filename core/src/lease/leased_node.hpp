// A generator's node where the node id is held from a store.
#pragma once

#include <atomic>
#include <memory>

#include "issue/node_provider.hpp"
#include "lease/holding.hpp"

namespace polyflake::lease {

// The holding that generators of one lease go by: another one in a copy of the process, once its runner made it.
using Current = std::atomic<Holding*>;

class LeasedNodeProvider final : public NodeProvider {
 public:
  explicit LeasedNodeProvider(std::shared_ptr<const Current> current) : current_(std::move(current)) {}

  // Requires: the holding has a window. Never blocks.
  Node& open() override;
  Node* reopen(Node& old) override;
  std::int64_t wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const override;
  GeneratorState after_fork() const noexcept override;

 private:
  const std::shared_ptr<const Current> current_;
};

}  // namespace polyflake::lease
