// A lock that a signal handler may ask for, and a call that must not wait: who holds it does file I/O.
//
// Taking turns is rare and never on the fast path, so whoever waits sleeps for moments instead of queueing.
#pragma once

#include <atomic>

#include "base/thread_safety.hpp"
#include "os/os.hpp"

namespace polyflake {

class POLYFLAKE_LOCK Turn {
 public:
  // Acquire and release: what was done in one turn is seen in the next.
  bool try_lock() noexcept POLYFLAKE_TRY_ACQUIRES(true) { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept POLYFLAKE_RELEASES() { taken_.store(false, std::memory_order_release); }
  // Blocks until it is free. For ever, if this thread itself holds it: not for signal handlers.
  void lock() noexcept POLYFLAKE_ACQUIRES();
  // Relaxed: an answer that is old by the time it is used.
  bool taken() const noexcept { return taken_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> taken_{false};
};

// Holds a turn until its own end, and keeps its thread from being cancelled.
class POLYFLAKE_HOLDS_LOCK InTurn {
 public:
  explicit InTurn(Turn& turn) POLYFLAKE_ACQUIRES(turn) : turn_(turn) { turn.lock(); }
  // After try_lock() gave it.
  struct Given {};
  InTurn(Turn& turn, Given) POLYFLAKE_REQUIRES(turn) : turn_(turn) {}
  ~InTurn() POLYFLAKE_RELEASES() { turn_.unlock(); }
  InTurn(const InTurn&) = delete;
  InTurn& operator=(const InTurn&) = delete;

 private:
  const platform::Uncancelled uncancelled_;
  Turn& turn_;
};

}  // namespace polyflake
