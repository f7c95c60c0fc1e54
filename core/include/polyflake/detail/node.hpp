// What all generators of one layout and node id in one process share: the present grant, and counters.
//
// A state lives as long as the process, however often generators are made and dropped, so that "a new
// generator per request" is harmless. Only a generator on a ManualClock has one of its own. Users of the
// library meet generators (generator.hpp), not states.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <polyflake/clock.hpp>
#include <polyflake/detail/grant.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/detail/tick_cache.hpp>
#include <polyflake/detail/turn.hpp>

namespace polyflake {

// Off the fast path; relaxed, since nothing is decided by them.
struct Counters {
  std::atomic<std::uint64_t> waits{0};
  std::atomic<std::uint64_t> waited_ns{0};
  std::atomic<std::uint64_t> exhaustions{0};
  std::atomic<std::uint64_t> steps_back{0};
  std::atomic<std::int64_t> largest_step_back{0};    // ticks
  std::atomic<std::int64_t> step_counted_at{-1};     // the `clock_seen` from which a step was last counted
  std::atomic<std::int64_t> clock_seen{INT64_MIN};   // the clock at the last jump to a new tick
  std::atomic<std::uint64_t> issued_reported{0};     // so that reports never go down
};

class ProcessMark;

class State {
 public:
  // clock == nullptr: the system clock. It must outlive the state.
  State(Layout layout, std::uint64_t node, Clock* clock = nullptr);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const Layout& layout() const { return layout_; }
  std::uint64_t node() const { return node_; }
  std::uint64_t node_bits() const { return node_bits_; }
  Clock& clock() const;
  Counters& counters() { return counters_; }

  // Null before the first adopt().
  Grant* grant() const { return grant_.load(std::memory_order_acquire); }

  // The clock in ticks since the epoch; negative before it.
  std::int64_t now() const {
    const std::int64_t ms = (clock_ == nullptr ? TickCache::now_ms() : clock_->now_ms()) - epoch_ms_;
    if (tick_ms_ == 1) return ms;
    return ms >= 0 ? ms / tick_ms_ : -((-ms + tick_ms_ - 1) / tick_ms_);
  }

  std::uint64_t tick_of(std::uint64_t position) const { return position >> sequence_bits_; }
  std::uint64_t sequence_of(std::uint64_t position) const { return position & sequence_mask_; }
  std::uint64_t first_of(std::uint64_t tick) const { return tick << sequence_bits_; }
  std::uint64_t capacity() const { return sequence_mask_ + 1; }

  std::uint64_t id_of(std::uint64_t position) const {
    return tick_of(position) << timestamp_shift_ | node_bits_ | sequence_of(position) << sequence_shift_;
  }
  unsigned sequence_shift() const { return sequence_shift_; }

  // Freezes the present grant and goes on with a new window, which begins after the last position taken.
  // source == nullptr: a static node id, the window is the whole layout. Drops the former source.
  // execution: what Execution::current() said before the window was obtained. Whatever else can fail does so before the
  // present grant is frozen. Errors: time_exhausted.
  void adopt(std::uint64_t start_tick, std::uint64_t until_tick, std::unique_ptr<Reservation> source,
             std::uint64_t execution = Execution::current());

  // Counts the open generators that issue from this state.
  void join() { users_.fetch_add(1, std::memory_order_relaxed); }
  // Release, paired with in_use(): what the generator issued is seen by whoever finds the state unused.
  void leave() { users_.fetch_sub(1, std::memory_order_release); }
  bool in_use() const { return users_.load(std::memory_order_acquire) != 0; }

  // Nothing below this tick is issued any more.
  void skip_to(std::uint64_t tick);

  // Makes the window of the present grant contain `tick`. Never waits for another call that is at it.
  // Blocking: I/O. Errors: registry_unusable.
  Extension extend(Grant& grant, std::uint64_t tick);
  bool extending() const { return turn_.taken(); }
  // The same ahead of need: makes the window reach as far as it may.
  Extension renew(Grant& grant);

  // True once the source failed for good: issuing needs a new state, or a new adopt().
  bool lost() const { return lost_.load(std::memory_order_acquire); }

  // Ids may be had from it, by this execution.
  bool usable() const { return grant() != nullptr && grant()->ours() && !lost(); }

  // Once a registry guarded the node id, nobody in this process goes on with it on a weaker right.
  bool guarded() const { return guarded_.load(std::memory_order_acquire); }
  void guard() { guarded_.store(true, std::memory_order_release); }

  // False where another copy of this library in the process uses the node id. Errors: registry_unusable.
  bool mark_process();

  // Freezes the grant and gives the node id back. With `patient` false, only if nobody is extending.
  void release(bool patient) noexcept;

  // Where the registry keeps the mark of the node id, "" where there is none or a call is at it. For messages.
  std::string place() const;

  // How many ids, but for `unused` positions that the caller knows of.
  std::uint64_t issued(std::uint64_t unused = 0) const;

  // The highest tick stamped so far, or where the grant begins.
  std::uint64_t last_tick() const;
  // Nothing was stamped in this tick or a later one.
  std::uint64_t first_free_tick() const;

  State* next = nullptr;  // in the table's bucket; written before the state is published
  std::string home;       // the registry folder that guards the node id, if any; guarded by NodeTable::opening()

 private:
  void freeze_current();
  Extension extend_in_turn(Grant& grant, std::uint64_t tick);

  // Read by every call, written never or rarely.
  std::atomic<Grant*> grant_{nullptr};
  Clock* const clock_;
  const std::uint64_t node_bits_;
  const std::int64_t epoch_ms_;
  const std::int64_t tick_ms_;
  const std::uint64_t sequence_mask_;
  const unsigned sequence_bits_;
  const unsigned sequence_shift_;
  const unsigned timestamp_shift_;
  std::atomic<bool> lost_{false};
  std::atomic<bool> guarded_{false};
  std::atomic<std::int64_t> users_{0};

  mutable Counters counters_;
  const Layout layout_;
  const std::uint64_t node_;
  mutable Turn turn_;  // guards what follows; never held while waiting for a clock
  std::unique_ptr<Reservation> source_;
  std::unique_ptr<ProcessMark> mark_;                // guarded by NodeTable::opening()
  std::vector<std::unique_ptr<Grant>> grants_;       // all ever adopted: a thread may still hold an old one
  std::atomic<std::uint64_t> issued_before_{0};      // under grants that are frozen
  std::atomic<std::uint64_t> last_tick_{0};          // of the frozen grants; read without the lock, too
  bool issued_any_ = false;
};

// The table of states in this process. A copy of the process has an empty one of its own.
class NodeTable {
 public:
  static NodeTable& current();
  // Null where this execution has none yet; never makes one.
  static NodeTable* existing() noexcept;

  // The state of this layout and node id, made when missing.
  State& find_or_add(const Layout& layout, std::uint64_t node);
  State* find(const Layout& layout, std::uint64_t node) const;
  bool in_use_by_an_ancestor(const Layout& layout, std::uint64_t node) const;

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& head : buckets_) {
      for (State* state = head.load(std::memory_order_acquire); state != nullptr; state = state->next) visit(*state);
    }
  }

  // Serialises what takes a new node id, and guards `held` and `failed`. Not inherited: a copy gets an unlocked one.
  Turn& opening() { return opening_; }

  // States by what was asked of which registry folder, so that asking again gives the same.
  std::unordered_map<std::string, State*> held;

  // Node ids whose registry files failed, by path: stepped over while there are others.
  std::unordered_set<std::string> failed;

  // Set at process exit: no node id is taken any more.
  std::atomic<bool> exiting{false};

 private:
  explicit NodeTable(NodeTable* ancestor) : ancestor_(ancestor) {}

  std::atomic<State*>& bucket(const Layout& layout, std::uint64_t node) const;

  static constexpr std::size_t kBuckets = 256;
  mutable std::atomic<State*> buckets_[kBuckets] = {};  // append-only lists: readers need no lock
  NodeTable* const ancestor_;
  Turn opening_;
};

}  // namespace polyflake
