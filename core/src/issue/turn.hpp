// A lock for holders that do file I/O. A signal handler, or a call that must not wait, may try it.
//
// Contention is rare and never on the fast path, so a waiting thread sleeps for moments instead of
// queueing.
#pragma once

#include <atomic>

#include "base/thread_safety.hpp"
#include "os/os.hpp"

namespace polyflake {

class POLYFLAKE_LOCK Turn {
 public:
  // Acquire and release: the work of one turn is seen in the next.
  bool try_lock() noexcept POLYFLAKE_TRY_ACQUIRES(true) { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept POLYFLAKE_RELEASES() { taken_.store(false, std::memory_order_release); }
  // Blocks: until the lock is free; for ever if this thread holds it, so not for signal handlers.
  void lock() noexcept POLYFLAKE_ACQUIRES();
  // Returns a hint, out of date by the time it is used; hence relaxed.
  bool taken() const noexcept { return taken_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> taken_{false};
};

// Holds a turn while it lives, and keeps its thread from being cancelled.
class POLYFLAKE_HOLDS_LOCK InTurn {
 public:
  explicit InTurn(Turn& turn) POLYFLAKE_ACQUIRES(turn) : turn_(turn) { turn.lock(); }
  // Requires: try_lock() returned true.
  struct AlreadyLocked {};
  InTurn(Turn& turn, AlreadyLocked) POLYFLAKE_REQUIRES(turn) : turn_(turn) {}
  ~InTurn() POLYFLAKE_RELEASES() { turn_.unlock(); }
  InTurn(const InTurn&) = delete;
  InTurn& operator=(const InTurn&) = delete;

 private:
  const platform::Uncancelled uncancelled_;
  Turn& turn_;
};

}  // namespace polyflake
