// Grants: the right to issue for one node id inside a half-open window of ticks [start, until).
//
// Uniqueness rests on two facts about a grant: its atomic word `last` only grows, and no other execution
// holds the same memory. The second is the business of Execution: fork() and clone() copy memory, so
// every grant remembers the execution of the process that made it and is void in any copy.
// A lease machine and a generator meet here and nowhere else.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

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

class alignas(64) Grant {
 public:
  // A position no issuing reaches: above it every candidate lies outside any window.
  static constexpr std::uint64_t kFrozen = std::uint64_t{1} << 63;

  // execution: the execution that came to this right. Not the present one: the process may have been copied, by a
  // signal handler, since the right was obtained.
  Grant(std::uint64_t start_tick, std::uint64_t until_tick, unsigned sequence_bits,
        std::uint64_t execution = Execution::current(), std::int64_t window = 0)
      : last(start_tick << sequence_bits),
        until(until_tick),
        begin(start_tick << sequence_bits),
        window_ticks(window),
        serial(next_serial()),
        owner_(&Execution::word(), execution) {}

  // Begins later than was thought when it was made. Only before any other thread can see it.
  void begin_at(std::uint64_t position) {
    begin = position;
    last.store(position, std::memory_order_relaxed);
  }

  // False in a copy of the process that made the grant. Asked after every swap of `last`, since a copy must
  // discard what it took.
  bool ours() const { return owner().present(); }

  // The same question in two parts, so that after the swap there is but one word to read.
  class Owner {
   public:
    // Relaxed: within one execution the word never changes; a copy has its own page, zeroed before it runs.
    bool present() const { return word_->load(std::memory_order_relaxed) == execution_; }

   private:
    friend class Grant;
    Owner(const std::atomic<std::uint64_t>* word, std::uint64_t execution) : word_(word), execution_(execution) {}
    const std::atomic<std::uint64_t>* word_;
    std::uint64_t execution_;
  };
  Owner owner() const { return owner_; }

  // Ends the grant for every thread and returns the last position taken (kFrozen if it was frozen before).
  std::uint64_t freeze() {
    // Acquire-release: whoever freezes sees all that was taken, whoever fails its swap sees the freeze.
    return last.exchange(kFrozen, std::memory_order_acq_rel);
  }

  // The last position taken: tick << sequence_bits | sequence. Alone on its cache line, which threads fight for.
  std::atomic<std::uint64_t> last;
  alignas(64) std::atomic<std::uint64_t> until;  // tick; only grows
  std::atomic<std::uint64_t> skipped{0};  // positions that jumps to a new tick left out; for stats
  std::uint64_t begin;                    // the position that `last` began with
  const std::int64_t window_ticks;        // how far ahead of the clock its source reserves; 0: it has none
  const std::uint64_t serial;             // 1 or more, of no other grant this process has made or inherited

 private:
  static std::uint64_t next_serial();

  const Owner owner_;
};

// What came of asking for a larger window.
enum class Extension {
  done,     // look again
  too_far,  // the tick is so far ahead of the clock that it may not be reserved yet
  busy,     // another call is at it
  late,     // the window was reserved, and was over before that was done
};

// Where the window of a grant comes from, and how it grows. A static node id has none: its window is
// the whole layout.
class Reservation {
 public:
  virtual ~Reservation() = default;

  // How far ahead of the clock a window may reach, in ticks. A start that lies no further ahead is waited for.
  virtual std::int64_t window_ticks() const = 0;

  // Makes the window reach beyond this tick, durably, before the grant says so. One caller at a time.
  // Blocking: I/O. Errors: registry_unusable; then the grant is lost for good.
  virtual Extension extend(Grant& grant, std::uint64_t tick) = 0;

  // Gives the node id back, usable from the tick after this one. Best effort, never throws.
  virtual void release(std::uint64_t last_tick) noexcept = 0;

  // Where the mark of the node id is kept, for messages.
  virtual std::string place() const = 0;
};

}  // namespace polyflake
