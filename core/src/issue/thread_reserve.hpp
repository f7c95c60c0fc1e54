// Reserves: positions that one thread took ahead of its calls, for Ordering::per_thread.
//
// Only its own thread touches a reserve, but a signal handler may do so in the middle of a call. So
// a call holds the reserve. A call inside of that one leaves it alone and asks for it to be
// dropped, since the inner call's ids come later.
#pragma once

#include <atomic>
#include <cstdint>

namespace polyflake {

class ThreadReserve {
 public:
  // Holds a reserve for one call, unless another call of the same thread holds it.
  class Hold {
   public:
    explicit Hold(ThreadReserve& reserve) noexcept : reserve_(reserve.enter() ? &reserve : nullptr) {}
    ~Hold() {
      if (reserve_ != nullptr) reserve_->leave();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    explicit operator bool() const noexcept { return reserve_ != nullptr; }

   private:
    ThreadReserve* const reserve_;
  };

  // Returns true if another call of the thread came in between: the positions left are below that
  // call's ids.
  bool spoiled() const noexcept { return spoiled_; }

  // Returns the number of positions left under this grant. They are of one tick, from next() on.
  std::uint64_t left(std::uint64_t grant_serial) const noexcept { return serial_ == grant_serial ? end_ - next_ : 0; }
  std::uint64_t next() const noexcept { return next_; }

  void use(std::uint64_t count) noexcept { next_ += count; }

  void drop() noexcept {
    spoiled_ = false;
    end_ = next_;
  }

  bool is_of(std::uint64_t grant_serial) const noexcept { return serial_ == grant_serial; }

  // Makes it an empty reserve of this grant.
  void turn_to(std::uint64_t grant_serial) noexcept {
    serial_ = grant_serial;
    drop();
  }

  void refill(std::uint64_t next, std::uint64_t end) noexcept {
    next_ = next;
    end_ = end;
  }

 private:
  bool enter() noexcept {
    if (held_) {
      spoiled_ = true;
      return false;
    }
    held_ = true;
    // Only the compiler could reorder this for a handler of the same thread; the processor does
    // not.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return true;
  }
  void leave() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    held_ = false;
  }

  std::uint64_t serial_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  volatile bool held_ = false;  // volatile: a signal handler reads it
  volatile bool spoiled_ = false;
};

}  // namespace polyflake
