// A node id that this process holds from a store: connects the lease machine to nodes and their
// grants.
//
// The runner of a language polls and delivers. Calls for ids read the results, and never wait for
// the runner under a lock. A grant of one execution is void in a copy of the process, which holds
// nothing.
#pragma once

#include <polyflake/detail/node.hpp>
#include <polyflake/generator.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "issue/turn.hpp"
#include "lease/machine.hpp"

namespace polyflake::lease {

// The part of the runner's state that calls for ids read. Outlives the runner, since nodes keep
// their reservations.
class LeaseStatus {
 public:
  LeaseStatus(std::string keeper, std::int64_t renew_wait_ms)
      : keeper_(std::move(keeper)), renew_wait_ms_(renew_wait_ms) {}

  const std::string& keeper() const { return keeper_; }

  // Returns how many ns to wait before asking again, after waiting for waited_ns. Errors: the
  // reason why the lease does not grow, after renew_wait_ms. After a wait that ended so, later
  // ones fail at once for as long as the lease fails: else each call of a service would wait while
  // its store is away.
  std::int64_t wait_ns(std::int64_t waited_ns) const;
  // Returns the reason why the lease does not grow. Never blocks: leaves out the message while the
  // runner is writing it.
  Failure failure() const;
  ErrorCode code() const noexcept { return code_.load(std::memory_order_relaxed); }
  void set_failure(Failure failure);
  void set_failing(bool fails);

  // True if there is a fault, not only a delay.
  std::atomic<bool> failing{false};
  // The numbers of confirmed extensions, and of answers of the store that did not arrive.
  std::atomic<std::uint64_t> renewals{0}, failures{0};
  // The number of windows confirmed, including first ones.
  std::atomic<std::uint64_t> confirmations{0};
  // That of the namespace; 0 before the first window.
  std::atomic<std::int64_t> window_ms{0};
  // True if the current window grows no more.
  std::atomic<bool> ended{false};
  // Unix ms at which stamping ended, set when the node id is given back: nothing is stamped at or
  // after it.
  std::atomic<std::int64_t> stamped_until_ms{-1};

 private:
  const std::string keeper_;
  const std::int64_t renew_wait_ms_;
  mutable std::atomic<bool> waited_in_vain_{false};
  std::atomic<ErrorCode> code_{ErrorCode::store_unavailable};
  mutable Turn turn_;
  Failure failure_ POLYFLAKE_GUARDED_BY(turn_){ErrorCode::store_unavailable, ""};
};

// The surroundings that a simulation replaces.
struct ProcessHooks {
  std::function<Node&(std::uint64_t node_id)> node;  // that of this process, in the store's space
  const std::atomic<std::uint64_t>* execution_word;  // holds the number of the execution
  std::function<std::uint64_t()> execution;          // returns that number
};

class HeldNodeId {
 public:
  HeldNodeId(Layout layout, Settings settings, Random& random, ProcessHooks hooks, std::string keeper,
             std::int64_t renew_wait_ms);

  // A copy as fork() would make it, with the node of that moment. For simulations only: elsewhere
  // the system copies.
  // execution: the one that the original's grant belongs to.
  HeldNodeId(const HeldNodeId& original, ProcessHooks hooks, std::uint64_t execution);

  // --- for the runner, one call at a time --------------------------------------------------------

  // Returns a read, cas or sleep; failed, or done. Errors of this and the next three:
  // forked_generator in a copy of the process.
  Action poll(Time now);
  void deliver(std::uint64_t number, const Contents& contents, Time now);
  void deliver(std::uint64_t number, const Answer& answer, Time now);
  void deliver_nothing(std::uint64_t number, const std::string& reason, Time now);

  void hurry() { machine_.hurry(); }

  const Machine& machine() const { return machine_; }
  std::uint64_t execution() const { return execution_; }

  // --- any thread --------------------------------------------------------------------------------

  // Stops stamping at once. poll() gives the remaining steps.
  void release() noexcept;

  // Returns the node of new ids; null before the first window, and in a copy of the process.
  Node* node() const;
  bool of_this_execution() const { return execution_word_->load(std::memory_order_relaxed) == execution_; }
  const std::shared_ptr<LeaseStatus>& status() const { return status_; }

 private:
  void refuse_copy() const;
  void look_at_machine();
  bool take_successor(Time now);
  std::int64_t due_ms() const;
  void adopt(const Window& window, std::uint64_t asked_by);
  void raise(const Window& window, Time now);
  void freeze(const Window& window);
  void note_window(const Window& window, Time now);
  void note_loss(const Window& window);
  Grant::Growth growth() const;
  std::uint64_t first_tick_from(std::int64_t unix_ms) const;
  std::uint64_t ticks_before(std::int64_t unix_ms) const;

  const Layout layout_;
  const ProcessHooks hooks_;
  const std::atomic<std::uint64_t>* const execution_word_;
  const std::uint64_t execution_;  // the execution that owns this holding
  std::uint64_t asked_by_;         // the execution that sent the last request
  const std::shared_ptr<LeaseStatus> status_;
  Machine machine_;
  // Granted, but not used until the held window is over or the new one begins.
  struct Successor {
    Window window;
    std::uint64_t asked_by;
  };
  std::optional<Successor> successor_;
  std::int64_t held_until_ms_ = INT64_MIN;  // of the window in use
  Grant* grant_ = nullptr;
  std::atomic<Node*> node_{nullptr};
  std::atomic<bool> released_{false};
};

}  // namespace polyflake::lease
