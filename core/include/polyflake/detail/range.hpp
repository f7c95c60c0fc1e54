// The range word: numbers that a counter gave to this process, handed out with one atomic add.
//
// A number is unique because `next` only rises, so no two calls take the same number, and because a
// number counts only inside a range that the counter gave. Ranges rise. No lock, no clock, nothing
// to free. Waiting for ranges is the business of the source: segment.hpp.
#pragma once

#include <atomic>
#include <cstdint>

#include <polyflake/detail/grant.hpp>

namespace polyflake {

// A call that blocks its thread until there is a number for it. Plain data: an interpreter that
// ends may end the thread at any point.
struct WaitingCall {
  const void* noted_by = nullptr;  // what counts it as waiting; null: nothing does
  std::uint64_t round = 0;         // of that, when the call last looked
};

class Range {
 public:
  // `next` once the range is frozen. No range reaches it, nor anything above.
  static constexpr std::uint64_t kFrozen = std::uint64_t{1} << 63;

  struct Numbers {
    std::uint64_t first;
    std::uint64_t count;  // 0: none
  };

  // The memory of take() and holds(), for the one other place that does the same: HeldRange.java,
  // in machine code that a JVM compiles. It lasts as long as the range.
  struct Words {
    const std::atomic<std::uint64_t>* paused;  // 0: not paused
    std::atomic<std::uint64_t>* next;
    const std::atomic<std::uint64_t>* limit;
    const std::atomic<std::uint64_t>* begin;
    const std::atomic<std::uint64_t>* execution;  // the number of the present execution
    std::uint64_t owner;                          // the number of the one in which numbers count
  };

  // Empty. It is void in every execution but its owner's.
  explicit Range(Grant::Owner owner = Grant::Owner()) : owner_(owner) {}

  // Takes a number that no other call takes. The number counts only if holds() says so, now or
  // after a later install(). Takes none and returns kFrozen while the range is paused. If this
  // function or holds() changes, so does HeldRange.java.
  std::uint64_t take() {
    // Relaxed: a late reading costs one number, or one look under the source's lock.
    if (paused_.load(std::memory_order_relaxed) != 0) return kFrozen;
    // Acquire-release: a number of a range carries the bounds of that range from install() to here,
    // and the check for copies cannot move before it.
    return next_.fetch_add(1, std::memory_order_acq_rel);
  }

  // Returns true if a number that was taken before this call lies in the installed range, in this
  // execution. A copy of the process must discard what it took: so this comes after take().
  bool holds(std::uint64_t number) const {
    // Acquire, and before `begin_`: that is then the beginning of this limit's range or of a later
    // one. So a number between two ranges never counts.
    const std::uint64_t limit = limit_.load(std::memory_order_acquire);
    // Relaxed: the order comes with the limit.
    const std::uint64_t begin = begin_.load(std::memory_order_relaxed);
    return begin <= number && number < limit && owner_.of_this_execution();
  }

  // Takes up to `most` neighbouring numbers of the installed range. Takes none if the range is used
  // up, or in a copy of the process.
  Numbers take_some(std::uint64_t most);

  Words words() { return {&paused_, &next_, &limit_, &begin_, &owner_.word(), owner_.execution()}; }

  // Installs [first, end) in the place of the former range; extends that if it ends at `first`.
  // Requires: one caller at a time; the end of the former range <= first < end <= kFrozen.
  void install(std::uint64_t first, std::uint64_t end);

  // Pauses take() until the next install(), so that calls which fail while nothing is held do not
  // use up the numbers of the next range. Requires: one caller at a time, as install().
  void pause() { paused_.store(1, std::memory_order_relaxed); }

  // Drops what is left of the installed range. Returns how many numbers that were. Requires: one
  // caller at a time, as install().
  std::uint64_t drop();

  // Ends handing out for ever. Returns the first number that no call took, at most kFrozen.
  std::uint64_t freeze();

  // Returns how many numbers of the installed range are left; may be out of date.
  std::uint64_t left() const;

  bool of_this_execution() const { return owner_.of_this_execution(); }

 private:
  // Alone on its cache line, since threads compete for it.
  alignas(64) std::atomic<std::uint64_t> next_{0};
  alignas(64) std::atomic<std::uint64_t> begin_{0};
  std::atomic<std::uint64_t> limit_{0};
  std::atomic<std::uint64_t> paused_{1};  // a word, as the others: see Words
  const Grant::Owner owner_;
};

inline Range::Numbers Range::take_some(std::uint64_t most) {
  // Acquire: as in take().
  std::uint64_t next = next_.load(std::memory_order_acquire);
  Numbers numbers;
  do {
    // The orders are those of holds(). These bounds stay good if the range is replaced meanwhile:
    // `next` decides who has the numbers.
    const std::uint64_t limit = limit_.load(std::memory_order_acquire);
    if (next < begin_.load(std::memory_order_relaxed) || next >= limit) return {0, 0};
    numbers = {next, most < limit - next ? most : limit - next};
  } while (
      !next_.compare_exchange_weak(next, next + numbers.count, std::memory_order_acq_rel, std::memory_order_acquire));
  // After the swap: a copy of the process must discard what it took.
  return owner_.of_this_execution() ? numbers : Numbers{0, 0};
}

}  // namespace polyflake
