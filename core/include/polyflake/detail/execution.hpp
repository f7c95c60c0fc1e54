// Executions: tell a process from its copies.
//
// fork() and clone() copy memory, and with it every right to issue. So each right remembers the
// execution that obtained it, and is void in any other.
#pragma once

#include <atomic>
#include <cstdint>

#include <polyflake/detail/always_inline.hpp>

namespace polyflake {

// Numbers the executions that descend from one another by fork. Each copy of the process gets
// another number, even one made by a raw clone(2) that runs no handlers.
//
// On Linux, since 4.14, the number is in a page that the kernel hands to children zeroed
// (MADV_WIPEONFORK; see madvise(2)). Elsewhere a pthread_atfork handler zeroes it. Lock free.
// Thread safety: any thread.
class Execution {
 public:
  // Returns the number of this execution, 1 or more; numbers a copy that has none yet.
  static std::uint64_t current();

  // Returns the word with the number; it reads 0 in a copy until current() is called there.
  static const std::atomic<std::uint64_t>& word();

  // Returns a pointer that is null again in every copy: it owns the state that must not be
  // inherited.
  static std::atomic<void*>& slot();
};

// Runs a step in one execution from beginning to end. If a signal handler copies the process during
// a step, its result belongs to the original.
class OneExecution {
 public:
  // Repeats `step` until it returned true and no copy of the process was made meanwhile. After the
  // last check nothing remains but to return.
  template <class Step>
  POLYFLAKE_ALWAYS_INLINE void run(Step step) const {
    std::uint64_t began;
    bool done;
    do {
      began = current();
      done = step();
    } while (!done || current() != began);
  }

 private:
  std::uint64_t current() const {
    const std::uint64_t known = word_.load(std::memory_order_relaxed);
    return known != 0 ? known : Execution::current();
  }

  const std::atomic<std::uint64_t>& word_ = Execution::word();
};

}  // namespace polyflake
