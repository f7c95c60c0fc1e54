// A generator's node where the node id is held from a store.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "issue/node_provider.hpp"
#include "lease/holding.hpp"

namespace polyflake::lease {

// The holding that generators of one lease go by: another one in a copy of the process, once its runner made it.
using Current = std::atomic<Holding*>;

class LeasedNodeProvider final : public NodeProvider {
 public:
  // in_copy: what is to be done where a copy of the process has no runner. close: once the generator is closed.
  LeasedNodeProvider(std::shared_ptr<const Current> current, std::function<void()> in_copy, std::function<void()> close)
      : current_(std::move(current)), in_copy_(std::move(in_copy)), close_(std::move(close)) {}
  explicit LeasedNodeProvider(std::shared_ptr<const Current> current)
      : LeasedNodeProvider(std::move(current), [] {}, [] {}) {}

  // Requires: the holding has a window. Never blocks.
  Node& open() override;
  Node* reopen(Node& old) override;
  std::int64_t wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const override;
  GeneratorState after_fork() const noexcept override;
  GeneratorState after_loss() const noexcept override;
  std::optional<ErrorCode> withheld_by() const noexcept override;
  void close() noexcept override { close_(); }

 private:
  const std::shared_ptr<const Current> current_;
  const std::function<void()> in_copy_;
  const std::function<void()> close_;
};

}  // namespace polyflake::lease
