// Grants: the right to issue for one node id inside a half-open window of ticks [start, until).
//
// Uniqueness rests on two facts about a grant: its atomic word `last` only grows, and it is void in every other execution,
// since it remembers its own.
// A lease machine and a generator meet here and nowhere else.
#pragma once

#include <atomic>
#include <cstdint>

#include <polyflake/detail/execution.hpp>

namespace polyflake {

class alignas(64) Grant {
 public:
  // A position no issuing reaches: above it every candidate lies outside any window.
  static constexpr std::uint64_t kFrozen = std::uint64_t{1} << 63;

  // The execution that came to a right. Not always the current one: a signal handler may have copied the process since.
  class Owner {
   public:
    // word: where the execution's number is kept.
    Owner(std::uint64_t execution = Execution::current(),  // NOLINT: an execution is an owner
          const std::atomic<std::uint64_t>& word = Execution::word())
        : word_(&word), execution_(execution) {}

    // Relaxed: within one execution the word never changes; a copy has its own page, zeroed before it runs.
    bool is_current() const { return word_->load(std::memory_order_relaxed) == execution_; }

   private:
    const std::atomic<std::uint64_t>* word_;
    std::uint64_t execution_;
  };

  // How its window grows, in ticks.
  struct Growth {
    std::int64_t window;  // how far ahead of the clock it may reach; 0: it does not grow
    std::int64_t early;   // how long before its end calls move it on; 0: they do not
    std::int64_t start;   // how far ahead of the clock its beginning may lie, to be waited for
    bool by_lease;        // it grows from elsewhere, and is empty until it begins: calls only look and wait
  };

  Grant(std::uint64_t start_tick, std::uint64_t until_tick, unsigned sequence_bits, Owner owner = Owner(),
        Growth window_growth = {0, 0, 0, false})
      : last(start_tick << sequence_bits),
        until(until_tick),
        begin(start_tick << sequence_bits),
        growth(window_growth),
        serial(next_serial()),
        owner_(owner) {}

  // Begins later than was thought when it was made. Only before any other thread can see it.
  void begin_at(std::uint64_t position) {
    begin = position;
    last.store(position, std::memory_order_relaxed);
  }

  // False in a copy of the process that made the grant. Asked after every swap of `last`, since a copy must
  // discard what it took.
  bool ours() const { return owner().is_current(); }
  // The same question in two parts, so that after the swap there is but one word to read.
  Owner owner() const { return owner_; }

  // Moves `last` from `expected` to `next`; else reloads `expected`. Acquire-release: positions are handed over between
  // threads in one order.
  bool take(std::uint64_t& expected, std::uint64_t next) {
    return last.compare_exchange_strong(expected, next, std::memory_order_acq_rel, std::memory_order_acquire);
  }

  // Ends the grant for every thread and returns the last position taken (kFrozen if it was frozen before).
  std::uint64_t freeze() {
    // Acquire-release: whoever freezes sees all that was taken, whoever fails its swap sees the freeze.
    return last.exchange(kFrozen, std::memory_order_acq_rel);
  }

  // The last position taken: tick << sequence_bits | sequence. Alone on its cache line, which threads fight for.
  std::atomic<std::uint64_t> last;
  alignas(64) std::atomic<std::uint64_t> until;  // tick; only grows
  std::atomic<std::uint64_t> skipped{0};         // positions that jumps to a new tick left out; for stats
  std::uint64_t begin;                           // the position that `last` began with
  const Growth growth;
  const std::uint64_t serial;  // 1 or more, of no other grant this process has made or inherited

 private:
  static std::uint64_t next_serial();

  const Owner owner_;
};

}  // namespace polyflake
