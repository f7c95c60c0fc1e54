// A run of positions that one thread took ahead of its calls, for Ordering::per_thread.
//
// Only its thread touches it, but a signal handler may do so in the middle of a call. So a call marks the run as
// busy; a call inside of that leaves the run alone and asks for it to be dropped, since its own ids come after.
#pragma once

#include <atomic>
#include <cstdint>

namespace polyflake {

class ThreadRun {
 public:
  // The calling thread's run for this grant, which may still hold what it took under another. Of generator.cpp alone.
  static ThreadRun& of(std::uint64_t grant_serial) noexcept {
    constexpr std::uint64_t kRuns = 4;  // so that a thread which uses a few generators in turn keeps a run for each
    static thread_local ThreadRun runs[kRuns];
    return runs[grant_serial % kRuns];
  }

  // Holds the run from here on; false inside of another call of the same thread.
  bool enter() noexcept {
    if (busy_) {
      spoiled_ = true;
      return false;
    }
    busy_ = true;
    // The compiler alone could mix things up for a handler of the same thread; the processor does not.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (spoiled_) {
      spoiled_ = false;
      end_ = next_;
    }
    return true;
  }
  void leave() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    busy_ = false;
  }

  // What is left of it under this grant: positions [next, end) of one tick.
  std::uint64_t left(std::uint64_t grant_serial) const noexcept { return serial_ == grant_serial ? end_ - next_ : 0; }
  std::uint64_t next() const noexcept { return next_; }

  void use(std::uint64_t count) noexcept { next_ += count; }

  void refill(std::uint64_t grant_serial, std::uint64_t next, std::uint64_t end) noexcept {
    serial_ = grant_serial;
    next_ = next;
    end_ = end;
  }

 private:
  std::uint64_t serial_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  volatile bool busy_ = false;     // volatile: written by a call and read by a handler that interrupts it
  volatile bool spoiled_ = false;
};

}  // namespace polyflake
