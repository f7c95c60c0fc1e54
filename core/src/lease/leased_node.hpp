// The node of a generator whose node id is held from a store.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "issue/node_provider.hpp"
#include "lease/held_node_id.hpp"

namespace polyflake::lease {

// The holding shared by the generators of one lease. In a copy of the process the runner replaces
// it.
using Current = std::atomic<HeldNodeId*>;

// Talks to the store. This base class does nothing: it is for runners of languages, which the core
// cannot command.
class Runner {
 public:
  virtual ~Runner() = default;
  // Starts a runner in a copy of the process if there is none. Called by any of the calls for ids.
  // Errors: store_unavailable; the next call tries again.
  virtual void start_in_copy() {}
  // Blocks: until a longer window is confirmed. Errors: the reason why none is.
  virtual void renew() {}
  // Called when the generator is closed.
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
  const LeaseStatus& status() const noexcept { return *current_->load(std::memory_order_acquire)->status(); }

  const std::shared_ptr<const Current> current_;
  const std::shared_ptr<Runner> runner_;
};

}  // namespace polyflake::lease
