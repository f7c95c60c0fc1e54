// A lease of this process: the machine over the system's clock and randomness, and the generators
// that use it.
//
// A runner asks for the next action and reports its result: the thread of store_runner.hpp, or the
// language's own.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "lease/leased_node.hpp"

namespace polyflake::lease {

class SystemRandom final : public Random {
 public:
  // Errors: registry_unusable if the system has no random bytes.
  std::uint64_t bits() override;
};

// Returns both clocks as the system reads them now.
Time system_time();

class Lease {
 public:
  // shown: the store, for people. Errors: option_invalid, layout_too_wide, time_exhausted.
  Lease(Layout layout, const LeaseOptions& options, std::string shown);

  const Layout& layout() const { return layout_; }
  const LeaseOptions& options() const { return options_; }

  // --- for the runner, one call at a time: as in HeldNodeId, with the system's clock ------------

  Action poll();
  void deliver(std::uint64_t number, const Contents& contents);
  void deliver(std::uint64_t number, const Answer& answer);
  void deliver_nothing(std::uint64_t number, const std::string& reason);

  // Starts over in a copy of the process: the grant belongs to the original, so the copy asks for
  // another node id.
  void begin_anew();

  // --- any thread --------------------------------------------------------------------------------

  // Renews at the next poll(), regardless of the time left.
  void hurry() { hurried_.store(true, std::memory_order_relaxed); }
  // As HeldNodeId::release(): poll() gives the remaining steps.
  void release() noexcept { current_->load()->release(); }
  bool of_this_execution() const { return current_->load(std::memory_order_acquire)->of_this_execution(); }
  // Returns true once node ids may be issued in this execution.
  bool granted() const { return current_->load(std::memory_order_acquire)->node() != nullptr; }
  // Returns why there is no window, or why it does not grow.
  Failure failure() const { return current_->load(std::memory_order_acquire)->status()->failure(); }
  const std::shared_ptr<LeaseStatus>& status() const { return current_->load(std::memory_order_acquire)->status(); }
  // Returns the longest time in ms that the runner's next command may take.
  std::int64_t command_timeout_ms() const;
  std::int64_t acquire_timeout_ms() const { return options_.acquire_timeout_ms; }
  const std::shared_ptr<Current>& current() const { return current_; }
  // Returns "" before the first window, and in a copy of the process until it has a window of its
  // own.
  std::string namespace_uuid() const;

 private:
  std::unique_ptr<HeldNodeId> make_held();

  const Layout layout_;
  const LeaseOptions options_;
  const std::string shown_;
  SystemRandom random_;
  std::atomic<bool> hurried_{false};  // relaxed: it publishes no other data
  // Shared with generators: their calls may be reading the holding, so the last of them frees it.
  const std::shared_ptr<Current> current_;
};

}  // namespace polyflake::lease
