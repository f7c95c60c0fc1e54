// Grants: the right to issue for one node id inside a half-open window of ticks [start, until).
//
// Uniqueness rests on two facts about a grant: its atomic word `last` only grows, and the grant is
// void in every execution but the one it remembers. A lease machine and a generator meet only here.
#pragma once

#include <atomic>
#include <cstdint>

#include <polyflake/detail/execution.hpp>

namespace polyflake {

class alignas(64) Grant {
 public:
  // A position that no issuing reaches: every candidate above it lies outside any window.
  static constexpr std::uint64_t kFrozen = std::uint64_t{1} << 63;

  // The process execution that obtained this grant. Not always the current one: a signal handler
  // may have copied the process since.
  class Owner {
   public:
    // word: holds the execution's number.
    Owner(std::uint64_t execution = Execution::current(),  // NOLINT: an execution is an owner
          const std::atomic<std::uint64_t>& word = Execution::word())
        : word_(&word), execution_(execution) {}

    // Relaxed: within one execution the word never changes; a copy has its own page, zeroed before
    // it runs.
    bool of_this_execution() const { return word_->load(std::memory_order_relaxed) == execution_; }

    // The two that it compares.
    const std::atomic<std::uint64_t>& word() const { return *word_; }
    std::uint64_t execution() const { return execution_; }

   private:
    const std::atomic<std::uint64_t>* word_;
    std::uint64_t execution_;
  };

  // The growth of the window, in ticks.
  struct Growth {
    std::int64_t window;  // how far ahead of the clock it may reach; 0: it does not grow
    std::int64_t early;   // how long before its end calls extend it; 0: calls do not
    std::int64_t start;   // how far ahead of the clock it may begin, so that calls wait for it
    // A lease extends it, and it is empty until it begins: calls only look and wait.
    bool by_lease;
  };

  Grant(std::uint64_t start_tick, std::uint64_t until_tick, unsigned sequence_bits, Owner owner = Owner(),
        Growth window_growth = {0, 0, 0, false})
      : last(start_tick << sequence_bits),
        until(until_tick),
        begin(start_tick << sequence_bits),
        growth(window_growth),
        serial(next_serial()),
        owner_(owner) {}

  // Moves the beginning of the window, if it is later than first thought. Requires: no other thread
  // can see the grant yet.
  void begin_at(std::uint64_t position) {
    begin = position;
    last.store(position, std::memory_order_relaxed);
  }

  // Returns false in a copy of the process that made the grant. Called after every swap of `last`,
  // since a copy must discard the position it took.
  bool of_this_execution() const { return owner().of_this_execution(); }
  // The same check in two parts, so that after the swap there is only one word to read.
  Owner owner() const { return owner_; }

  // Moves `last` from `expected` to `next` and returns true, else reloads `expected`.
  // Acquire-release: positions pass between threads in one order.
  bool take(std::uint64_t& expected, std::uint64_t next) {
    return last.compare_exchange_strong(expected, next, std::memory_order_acq_rel, std::memory_order_acquire);
  }

  // Ends the grant for every thread. Returns the last position taken, kFrozen if already frozen.
  std::uint64_t freeze() {
    // Acquire-release: the freezing thread sees all positions taken; a thread whose swap fails sees
    // the freeze.
    return last.exchange(kFrozen, std::memory_order_acq_rel);
  }

  // The last position taken: tick << sequence_bits | sequence. Alone on its cache line, since
  // threads compete for it.
  std::atomic<std::uint64_t> last;
  alignas(64) std::atomic<std::uint64_t> until;  // tick; only grows
  std::atomic<std::uint64_t> skipped{0};         // positions skipped by jumps to a new tick
  std::uint64_t begin;                           // the position that `last` began with
  const Growth growth;
  // 1 or more; no other grant that this process has made or inherited has it.
  const std::uint64_t serial;

 private:
  static std::uint64_t next_serial();

  const Owner owner_;
};

}  // namespace polyflake
