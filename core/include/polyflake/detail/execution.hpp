// Executions: what tells a process from its copies.
//
// fork() and clone() copy memory, and with it every right to issue. So each right remembers the execution that obtained it
// and is void in any other.
#pragma once

#include <atomic>
#include <cstdint>

namespace polyflake {

// Numbers the executions that descend from one another by fork: each copy of the process gets another
// number, even one made by a raw clone(2) that runs no handlers.
//
// The number lives in a page that the kernel hands to children zeroed (MADV_WIPEONFORK, Linux 4.14; see
// madvise(2)), elsewhere a pthread_atfork handler zeroes it. Lock free, safe from any thread.
class Execution {
 public:
  // The number of this execution, 1 or more; numbers a copy that has none yet.
  static std::uint64_t current();

  // Where the number is kept; reads 0 in a copy until current() is called there.
  static const std::atomic<std::uint64_t>& word();

  // One pointer that is null again in every copy: what must not be inherited hangs on it.
  static std::atomic<void*>& slot();
};

}  // namespace polyflake
