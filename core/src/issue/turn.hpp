// A lock that a signal handler may ask for, and a call that must not wait: who holds it does file I/O.
//
// Taking turns is rare and never on the fast path, so whoever waits sleeps for moments instead of queueing. For
// std::lock_guard and std::unique_lock.
#pragma once

#include <atomic>

namespace polyflake {

class Turn {
 public:
  // Acquire and release: what was done in one turn is seen in the next.
  bool try_lock() noexcept { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }
  // Blocks until it is free. For ever, if this thread itself holds it: not for signal handlers.
  void lock() noexcept;
  // Relaxed: an answer that is old by the time it is used.
  bool taken() const noexcept { return taken_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace polyflake
