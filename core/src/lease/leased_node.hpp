// A generator's node where the node id is held from a store.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "issue/node_provider.hpp"
#include "lease/holding.hpp"

namespace polyflake::lease {

// The holding that generators of one lease go by: another one in a copy of the process, once its runner made it.
using Current = std::atomic<Holding*>;

// Who talks to the store. One that nobody here may command does nothing: the runners of languages.
class Runner {
 public:
  virtual ~Runner() = default;
  // In a copy of the process, where there is none. By any of the calls for ids there. Errors: store_unavailable.
  virtual void start_in_copy() {}
  // Blocks: until a longer window is confirmed. Errors: why none is.
  virtual void renew() {}
  // The generator is closed.
  virtual void stop() noexcept {}
};

class LeasedNodeProvider final : public NodeProvider {
 public:
  LeasedNodeProvider(std::shared_ptr<const Current> current, std::shared_ptr<Runner> runner)
      : current_(std::move(current)), runner_(std::move(runner)) {}
  explicit LeasedNodeProvider(std::shared_ptr<const Current> current)
      : LeasedNodeProvider(std::move(current), std::make_shared<Runner>()) {}

  // Requires: the holding has a window. Never blocks.
  Node& open() override;
  Node* reopen(Node& old) override;
  std::int64_t wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const override;
  GeneratorState after_fork() const noexcept override;
  GeneratorState after_loss() const noexcept override;
  std::optional<ErrorCode> withheld_by() const noexcept override;
  const Node* successor() const noexcept override;
  void renew() override { runner_->renew(); }
  void report(Stats& stats) const noexcept override;
  void close() noexcept override { runner_->stop(); }

 private:
  const Standing& standing() const noexcept { return *current_->load(std::memory_order_acquire)->standing(); }

  const std::shared_ptr<const Current> current_;
  const std::shared_ptr<Runner> runner_;
};

}  // namespace polyflake::lease
