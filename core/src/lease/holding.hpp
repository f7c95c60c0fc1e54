// A node id that this process holds from a store: the lease machine on one side, nodes and their grants on the other.
//
// The runner of a language polls and delivers; calls for ids look at what came of it and never wait for it under a lock. What
// one execution was granted is void in a copy of the process, which holds nothing.
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

// What calls for ids see of the runner's side. Outlives it: nodes keep their reservations.
class Standing {
 public:
  Standing(std::string place, std::int64_t renew_wait_ms) : place_(std::move(place)), renew_wait_ms_(renew_wait_ms) {}

  const std::string& place() const { return place_; }

  // For how long to wait before asking again, after waiting for waited_ns. Errors: what keeps the lease from growing, after
  // renew_wait_ms.
  std::int64_t wait_ns(std::int64_t waited_ns) const;
  // What keeps it from growing. Never blocks: without the words where the runner is just writing them.
  Failure failure() const;
  ErrorCode code() const noexcept { return code_.load(std::memory_order_relaxed); }
  void set_failure(Failure failure);

  // Something is amiss, not only late.
  std::atomic<bool> troubled{false};
  // How often a longer window was confirmed, and how many answers of the store did not come.
  std::atomic<std::uint64_t> renewals{0}, failures{0};
  // How often any window was confirmed, the first ones too.
  std::atomic<std::uint64_t> confirmations{0};
  // Of the namespace; 0 before the first window.
  std::atomic<std::int64_t> window_ms{0};
  // The current window grows no more.
  std::atomic<bool> ended{false};
  // Unix ms below which everything was stamped that will be, once the node id was given back.
  std::atomic<std::int64_t> stamped_until_ms{-1};

 private:
  const std::string place_;
  const std::int64_t renew_wait_ms_;
  std::atomic<ErrorCode> code_{ErrorCode::store_unavailable};
  mutable Turn turn_;
  Failure failure_ POLYFLAKE_GUARDED_BY(turn_){ErrorCode::store_unavailable, ""};
};

// What a simulation replaces.
struct World {
  std::function<Node&(std::uint64_t node_id)> node;  // that of this process, in the space of the store
  const std::atomic<std::uint64_t>* word;            // where the number of the execution is kept
  std::function<std::uint64_t()> execution;          // that number
};

class Holding {
 public:
  Holding(Layout layout, Settings settings, Random& random, World world, std::string place, std::int64_t renew_wait_ms);

  // As a copy of the process has it, with the node that it had then. For simulations: elsewhere the system copies.
  // execution: the one that the original's right belongs to.
  Holding(const Holding& original, World world, std::uint64_t execution);

  // --- for the runner, one call at a time -----------------------------------------------------------

  // A read, cas or sleep; failed, or done. Errors of this and the next three: forked_generator in a copy of the process.
  Action poll(Time now);
  void deliver(std::uint64_t number, const Contents& contents, Time now);
  void deliver(std::uint64_t number, const Answer& answer, Time now);
  void deliver_nothing(std::uint64_t number, const std::string& reason, Time now);

  void hurry() { machine_.hurry(); }

  const Machine& machine() const { return machine_; }
  std::uint64_t execution() const { return execution_; }

  // --- any thread -------------------------------------------------------------------------------------

  // Stamps nothing more from now on; what is left to do, poll() says.
  void release() noexcept;

  // Where ids come from now; null before the first window, and in a copy of the process.
  Node* node() const;
  bool ours() const { return word_->load(std::memory_order_relaxed) == execution_; }
  const std::shared_ptr<Standing>& standing() const { return standing_; }

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
  const World world_;
  const std::atomic<std::uint64_t>* const word_;
  const std::uint64_t execution_;  // whose holding this is
  std::uint64_t asked_by_;         // the execution that sent the last request
  const std::shared_ptr<Standing> standing_;
  Machine machine_;
  // Granted, and not issued from before what is held is over or it begins.
  struct Successor {
    Window window;
    std::uint64_t asked_by;
  };
  std::optional<Successor> successor_;
  std::int64_t held_until_ms_ = INT64_MIN;  // of the window that ids come from
  Grant* grant_ = nullptr;
  std::atomic<Node*> node_{nullptr};
  std::atomic<bool> released_{false};
};

}  // namespace polyflake::lease
