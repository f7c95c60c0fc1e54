// Segment: the numbers of a counter in a store, unique across all hosts that use it.
//
//   polyflake::MemoryStore store;                           // or HostStore, or one of your own
//   polyflake::init_namespace(store, "polyflake");          // once, by an operator
//   polyflake::init_counter(store, "orders", 0);            // once: the last number that is taken
//   polyflake::Segment orders(store, {"orders"});           // from then on, anywhere
//   std::uint64_t number = orders.next_id();
//
// A source takes ranges of numbers from the store ahead of need, in a thread of its own, and hands
// them out with one atomic add. Numbers of one process rise. A process that is killed loses those
// it holds; one that closes gives them back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/counter_store.hpp>
#include <polyflake/detail/range.hpp>
#include <polyflake/id_source.hpp>

namespace polyflake {

struct SegmentOptions {
  std::string name;  // of the counter
  // The size of a fetch, 1 or more; nothing: as many numbers as hold_ms needs. 1: no gaps in
  // normal running, at one round trip each; numbers are in the order of calls, also across hosts,
  // if each process makes one call at a time.
  std::optional<std::uint64_t> step = std::nullopt;
  std::int64_t hold_ms = 30'000;  // how long the store may be away at a steady rate
  std::uint64_t min_step = 100;
  std::uint64_t max_step = 1'000'000;
  std::int64_t timeout_ms = 2000;  // the longest wait of one call for the store
  bool label = true;               // the record contains host and pid, for people
};

class SegmentSession;
namespace count {
struct CounterUse;
}

class Segment final : public IdSource {
 public:
  // Blocks: until the counter was read, at most timeout_ms; if it fails, also until the call of the
  // store that is under way returns.
  // Requires: the store lasts as long as this object.
  // Errors: option_invalid, namespace_not_initialised, wrong_namespace, layout_mismatch,
  // store_unavailable, store_went_back, store_misconfigured, clock_skew.
  Segment(CounterStore& store, const SegmentOptions& options);
  ~Segment() override;  // closes; waits for a call of the store that is under way

  // Returns the next number, 1 to 2^63 - 2, above all that this source returned before the call.
  // Blocks: only if nothing is held, at most timeout_ms.
  // Errors: store_unavailable, store_went_back, range_exhausted, clock_skew, clock_behind,
  // namespace_not_initialised, layout_mismatch, generator_closed.
  // Thread safety: any number of threads.
  std::uint64_t next_id() {
    // Acquire: a session is seen with its word.
    Range& word = *word_.load(std::memory_order_acquire);
    const std::uint64_t number = word.take();
    return word.holds(number) ? number : next_id_slowly(&word, number);
  }

  // Like next_id(). If that would wait, returns nothing. Never does I/O. Errors: as next_id().
  std::optional<std::uint64_t> try_next_id();

  // Give n rising numbers. Block: until the store gave that many, each fetch at most timeout_ms.
  // Errors: as next_id(); then numbers that were taken are lost.
  void fill(std::uint64_t* ids, std::size_t n);
  std::vector<std::uint64_t> next_ids(std::size_t n);

  std::string next_id_string() override;
  const char* kind() const override { return "segment"; }
  std::size_t id_bytes() const override { return sizeof(std::uint64_t); }
  void fill_bytes(unsigned char* ids, std::size_t n) override;

  // Ends issuing, then gives back what the store can be told in one piece. Idempotent; safe while
  // others issue. Blocks: half a second at most.
  void close() noexcept override;
  bool closed() const noexcept override { return closed_.load(std::memory_order_relaxed); }
  Stats stats() const override;

 private:
  friend class DateIds;
  Segment(CounterStore& store, const count::CounterUse& use);
  // Drops what is held of a date whose period is over.
  void drop_if_over();
  // number: taken from this word.
  std::uint64_t next_id_slowly(const Range* word, std::uint64_t number, std::size_t wanted = 1);
  SegmentSession& session() const;
  void refuse_closed() const;

  CounterStore& store_;
  const std::unique_ptr<const count::CounterUse> use_;
  std::atomic<bool> closed_{false};
  // Belongs to the execution that made it. A copy of the process makes another, and leaves the
  // former one alone: threads that were not copied may hold its lock.
  mutable std::atomic<SegmentSession*> session_;
  mutable std::atomic<Range*> word_;
};

}  // namespace polyflake
