// The process of the server: its CPU time and its memory, as the kernel counts them in /proc.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace polyflake::load {

struct ProcessTimes {
  std::int64_t cpu_ns = 0;
  std::int64_t waited_ns = 0;  // for a processor, while others had them
};

// Returns the times of all living threads of a process. Errors: std::runtime_error if there is no
// such process.
ProcessTimes times_of(int pid);

// Returns the memory of a process that is resident, in bytes. Errors: as times_of().
std::int64_t resident_bytes(int pid);

// Looks at the memory of a process every 20 ms in a thread of its own, until it is destroyed.
class MemoryWatch {
 public:
  explicit MemoryWatch(int pid);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::int64_t most() const { return most_.load(std::memory_order_relaxed); }  // a number by itself

 private:
  std::atomic<std::int64_t> most_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace polyflake::load
