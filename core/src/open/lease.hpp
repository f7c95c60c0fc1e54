// A lease of this process: the machine over the system's clock and randomness, and the generators that go by it.
//
// A runner asks what is to be done and says what came of it: the thread of store_runner.hpp, or the language's own.
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
  // Errors: registry_unusable, where the system has none.
  std::uint64_t bits() override;
};

Time system_time();

class Lease {
 public:
  // shown: the store, for people. Errors: option_invalid, layout_too_wide, time_exhausted.
  Lease(Layout layout, const LeaseOptions& options, std::string shown);

  const Layout& layout() const { return layout_; }
  const LeaseOptions& options() const { return options_; }

  // --- for the runner, one call at a time: as Holding, with a reading of the clock of now -----------

  Action poll();
  void deliver(std::uint64_t number, const Contents& contents);
  void deliver(std::uint64_t number, const Answer& answer);
  void deliver_nothing(std::uint64_t number, const std::string& reason);

  // In a copy of the process: what was held is the original's, so another node id is asked for.
  void begin_anew();

  // --- any thread -----------------------------------------------------------------------------------

  // The next poll() renews, however much is left.
  void hurry() { hurried_.store(true, std::memory_order_relaxed); }
  // As Holding. What is left to do, poll() says.
  void release() noexcept { current_->load()->release(); }
  bool ours() const { return current_->load(std::memory_order_acquire)->ours(); }
  bool granted() const { return current_->load(std::memory_order_acquire)->node() != nullptr; }
  // What keeps it from a window, or a longer one.
  Failure failure() const { return current_->load(std::memory_order_acquire)->standing()->failure(); }
  const std::shared_ptr<Standing>& standing() const { return current_->load(std::memory_order_acquire)->standing(); }
  // How long the runner's next command may take.
  std::int64_t command_timeout_ms() const;
  std::int64_t acquire_timeout_ms() const { return options_.acquire_timeout_ms; }
  const std::shared_ptr<Current>& current() const { return current_; }
  // "" before the first window, and in a copy of the process until it has its own.
  std::string namespace_uuid() const;

 private:
  std::unique_ptr<Holding> make_holding();

  const Layout layout_;
  const LeaseOptions options_;
  const std::string shown_;
  SystemRandom random_;
  std::atomic<bool> hurried_{false};  // relaxed: it hands over nothing else
  // Shared with generators, whose calls may be looking at the holding: it is freed with the last of them.
  const std::shared_ptr<Current> current_;
};

}  // namespace polyflake::lease
