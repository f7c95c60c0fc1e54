// Node: the current grant and the counters that all generators of one layout and node id in one
// process share.
//
// A node lives as long as the process, even if generators are made and dropped all the time, so
// that "a new generator per request" is harmless. Only a generator on a ManualClock has its own
// node.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <polyflake/clock.hpp>
#include <polyflake/detail/grant.hpp>
#include <polyflake/detail/tick_cache.hpp>
#include <polyflake/layout.hpp>

namespace polyflake {

struct Counters;
class Reservation;
enum class Extension;

class Node {
 public:
  // Random bits for ids without a node id: `key` for the first positions of ticks, `process` to
  // name the process in an id.
  struct RandomKey {
    std::uint64_t key = 0, process = 0;
  };

  // clock == nullptr: the system clock. It must outlive the node.
  Node(Layout layout, std::uint64_t id, Clock* clock = nullptr, RandomKey random_key = {0, 0});
  ~Node();
  Node(const Node&) = delete;

  // Acquire, paired with adopt(): a grant is seen with its window. Null before the first adopt().
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
  std::uint64_t id_step() const {
    return std::uint64_t{1} << sequence_shift_;
  }  // between ids of neighbouring positions

  const Layout& layout() const;
  std::uint64_t id() const;  // node id
  const RandomKey& random_key() const { return random_key_; }
  std::uint64_t node_bits() const { return node_bits_; }  // the node id, at its position in ids
  Clock& clock() const;
  Counters& counters() const;
  // Returns NodeTable::Space, for a lease its namespace's UUID. Any thread, as long as the node.
  const std::string& space() const noexcept;

  // Freezes the current grant and goes on with a new window, which begins after the last position
  // taken. Drops the former reservation. reservation == nullptr: a static node id; the window is
  // the whole layout. owner: the current execution before the window was requested. Steps that can
  // fail come before the freeze. Errors: time_exhausted.
  void adopt(std::uint64_t start_tick, std::uint64_t until_tick, std::unique_ptr<Reservation> reservation,
             Grant::Owner owner = Grant::Owner());

  // Count the open generators that issue from this node.
  void join();
  void leave();
  bool in_use() const;

  // From now on no position below this tick is issued.
  void skip_to(std::uint64_t tick);

  // Makes the window of the current grant contain `tick`. Never waits for another such call.
  // Blocks: I/O. Errors: registry_unusable.
  Extension extend(Grant& grant, std::uint64_t tick);
  bool extending() const;
  // If a lease extends the window: returns how long to wait before asking again, -1 if the caller
  // may ask now. begins_soon: false if the window begins later than calls wait. Errors:
  // store_unavailable, clock_skew (the wait exceeds the agreed time).
  std::int64_t wait_ns(std::int64_t waited_ns, bool begins_soon = true) const;
  // Extends it early, as far as the window may reach. must: a passing cause is an error, too.
  Extension renew(Grant& grant, bool must = true);

  // Freezes the current grant for ever; another node replaces this one. With a holder, only if the
  // holder still owns it.
  void retire(const void* holder = nullptr);

  // Returns true after the reservation failed for ever: issuing needs a new node, or a new adopt().
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  // Returns true if this execution may get ids from it.
  bool usable() const { return grant() != nullptr && grant()->of_this_execution() && !lost(); }

  // Returns the registry that guarded the node id, "" if none did. After it no generator of this
  // process may use the node id on a weaker right. Guarded by NodeTable::opening.
  const std::string& guard() const;
  void guard_by(const std::string& home);

  // Marks a number for other processes of the host, which warn. Guarded by NodeTable::opening.
  void mark_number();
  // Returns false if another copy of this library in the process uses the node id.
  // Guarded by NodeTable::opening. Errors: registry_unusable.
  bool mark_process();

  // Freezes the grant and gives the node id back. With `patient` false, only if no call is
  // extending; with a holder, only if the holder still owns it.
  void release(bool patient, const void* holder = nullptr) noexcept;

  // Returns the keeper of the node id's mark, for messages; "" if there is none or a call uses it.
  std::string keeper() const;
  // Returns an operator's remedy for a mark written under a clock far ahead, for messages.
  std::string way_back() const;

  // Returns ids issued, not counting `unused` positions that the caller still holds.
  std::uint64_t issued(std::uint64_t unused = 0) const;
  // Returns the highest tick stamped so far, or the tick at which the grant begins.
  std::uint64_t last_tick() const;
  // Returns the first tick without a stamped id; no later tick has one.
  std::uint64_t first_free_tick() const;

 private:
  friend class NodeTable;
  struct Rest;  // the members that no fast path reads

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
  const RandomKey random_key_;
  const std::unique_ptr<Rest> rest_;
};

}  // namespace polyflake
