// What all generators of one layout and node id in one process share: the current grant, and counters.
//
// A node lives as long as the process, however often generators are made and dropped, so that "a new
// generator per request" is harmless. Only a generator on a ManualClock has one of its own.
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
  // Random bits where chance and no node id keeps ids apart: of where ticks begin, and of what in an id names the process.
  struct Draw {
    std::uint64_t key = 0, process = 0;
  };

  // clock == nullptr: the system clock. It must outlive the node.
  Node(Layout layout, std::uint64_t id, Clock* clock = nullptr, Draw draw = {0, 0});
  ~Node();
  Node(const Node&) = delete;

  // --- the fast path -------------------------------------------------------------------------------

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

  // --- the rest ------------------------------------------------------------------------------------

  const Layout& layout() const;
  std::uint64_t id() const;  // node id
  const Draw& draw() const { return draw_; }
  std::uint64_t node_bits() const { return node_bits_; }  // the node id, where ids have it
  Clock& clock() const;
  Counters& counters() const;
  // NodeTable::Space, the uuid of a lease's namespace. Thread safety: any thread, the node's life long.
  const std::string& space() const noexcept;

  // Freezes the current grant and goes on with a new window, which begins after the last position taken.
  // reservation == nullptr: a static node id, the window is the whole layout. Drops the former reservation.
  // owner: the execution that was the current one before the window was asked for. Whatever else can fail does so before
  // the current grant is frozen. Errors: time_exhausted.
  void adopt(std::uint64_t start_tick, std::uint64_t until_tick, std::unique_ptr<Reservation> reservation,
             Grant::Owner owner = Grant::Owner());

  // Counts the open generators that issue from this node.
  void join();
  void leave();
  bool in_use() const;

  // Nothing below this tick is issued any more.
  void skip_to(std::uint64_t tick);

  // Makes the window of the current grant contain `tick`. Never waits for another call that is at it.
  // Blocks: I/O. Errors: registry_unusable.
  Extension extend(Grant& grant, std::uint64_t tick);
  bool extending() const;
  // Where the window grows from elsewhere: for how long to wait before asking again, -1 where that may be done now.
  // begins_soon: false where it begins later than is waited for. Errors: store_unavailable, clock_skew: longer than was agreed.
  std::int64_t wait_ns(std::int64_t waited_ns, bool begins_soon = true) const;
  // The same ahead of need, as far as the window may reach. must: a cause that may pass is an error, too.
  Extension renew(Grant& grant, bool must = true);

  // Freezes the current grant for good: another node goes on in its place. With a holder, only if it
  // is its own still.
  void retire(const void* holder = nullptr);

  // True once the reservation failed for good: issuing needs a new node, or a new adopt().
  bool lost() const { return lost_.load(std::memory_order_acquire); }

  // Ids may be had from it, by this execution.
  bool usable() const { return grant() != nullptr && grant()->ours() && !lost(); }

  // Once a registry guarded the node id, nobody in this process goes on with it on a weaker right. "": none ever did.
  // Guarded by NodeTable::opening.
  const std::string& guard() const;
  void guard_by(const std::string& home);

  // False where another copy of this library in the process uses the node id. Guarded by NodeTable::opening.
  // Errors: registry_unusable.
  bool mark_process();

  // Freezes the grant and gives the node id back. With `patient` false, only if nobody is extending; with a holder, only if it
  // is its own still.
  void release(bool patient, const void* holder = nullptr) noexcept;

  // Where the mark of the node id is kept, "" where there is none or a call is at it. For messages.
  std::string place() const;
  // What an operator does about a mark that was written under a clock far ahead, for messages.
  std::string way_back() const;

  // How many ids, but for `unused` positions that the caller knows of.
  std::uint64_t issued(std::uint64_t unused = 0) const;

  // The highest tick stamped so far, or where the grant begins.
  std::uint64_t last_tick() const;
  // Nothing was stamped in this tick or a later one.
  std::uint64_t first_free_tick() const;

 private:
  friend class NodeTable;
  struct Rest;  // what no fast path reads

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
  const Draw draw_;
  const std::unique_ptr<Rest> rest_;
};

}  // namespace polyflake
