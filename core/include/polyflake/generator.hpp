// Generators: ids that are unique, time-ordered and, by default, rising in each generator.
//
//   polyflake::Generator generator;   // node id from this host's registry
//   std::uint64_t id = generator.next_id();
//
// Lock free: one clock read and one compare-and-swap per id. If the ids of a tick are used up, or
// the clock went back, a call claims its id, then waits for the tick of that: docs/architecture.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/detail/always_inline.hpp>
#include <polyflake/detail/node.hpp>
#include <polyflake/detail/pace.hpp>
#include <polyflake/error.hpp>
#include <polyflake/id_source.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/options.hpp>
#include <polyflake/stats.hpp>

namespace polyflake {

// Tells whether the generator can issue ids, as far as is known without issuing one.
struct GeneratorState {
  enum class Name { starting, open, waiting, lost, closed } name;
  std::optional<ErrorCode> code;  // the error of the next call, if it is known
};
// Returns "starting", "open", "waiting", "lost" or "closed".
const char* name_of(GeneratorState::Name name) noexcept;
struct IdRange;
class NodeProvider;

class Generator final : public IdSource {
 public:
  // The constructor never sleeps. If the window of the node id has not begun, the first call for an
  // id waits for it: with a number until the next tick; with a `host` worker at most 2 s (or two
  // ticks, if longer), and only if the folder is new or its last holder was just killed.
  // Blocks: file I/O with a `host` worker, I/O of the store with a lease. Not for signal handlers.
  // Errors: option_invalid, field_out_of_range, unknown_field, layout_too_wide (ids would pass
  // 2^63), worker_source_invalid, worker_in_use, no_worker_free, registry_unusable,
  // forked_generator; on the system clock clock_before_epoch, time_exhausted; with a store
  // namespace_not_initialised, wrong_namespace, layout_mismatch, store_unavailable, clock_skew.
  explicit Generator(Options options = {});
  ~Generator() override;

  // Returns the next id, below 2^63 and above every id returned before the call (see Ordering).
  // Blocks: at most max_wait_ms (or one tick) for the clock, or until a window begins. With a
  // `host` worker one call in about 1.5 s does file I/O; others wait for it as for a clock. With a
  // lease no call does I/O; if its window is late, calls wait at most LeaseOptions::renew_wait_ms.
  // Errors: clock_before_epoch, clock_behind (nothing is claimed), time_exhausted,
  // forked_generator, generator_closed, registry_unusable; when a node id is taken again
  // worker_in_use, no_worker_free; if the window of a lease is over store_unavailable, lease_lost,
  // clock_skew, layout_mismatch, namespace_not_initialised, wrong_namespace.
  // Thread safety: any number of threads.
  POLYFLAKE_ALWAYS_INLINE std::uint64_t next_id() {
    const std::int64_t id = claim_now();
    return id >= 0 ? static_cast<std::uint64_t>(id) : next_id_slowly();
  }

  // Like next_id(). If that would wait, returns nothing and claims nothing. Errors: as next_id().
  std::optional<std::uint64_t> try_next_id();

  // Give the ids that n calls of next_id() would give, with one swap per tick.
  // Block: as long as the clock needs for n ids. Errors: as next_id(); then claimed ids are lost.
  void fill(std::uint64_t* ids, std::size_t n);
  std::vector<std::uint64_t> next_ids(std::size_t n);

  // Returns next_id() as decimal text, for JSON. Errors: as next_id().
  std::string next_id_string() override;

  // Ends issuing here. Idempotent; safe while others issue. The process keeps a `host` node id.
  void close() noexcept override;
  bool closed() const noexcept override;
  // Renews the window early, so that for about one window no call has to wait for a write. Does
  // nothing with a static number. Blocks: I/O; with a store until it has a longer window.
  // Errors: as next_id().
  void renew();

  // For health checks: issues nothing, reads no file, never throws. Thread safety: any thread.
  GeneratorState state() const noexcept;
  Stats stats() const override;  // never blocks; also after close()
  const char* kind() const override { return "snowflake"; }
  std::size_t id_bytes() const override { return sizeof(std::uint64_t); }
  void fill_bytes(unsigned char* ids, std::size_t n) override;
  std::uint64_t worker() const;  // node id; after a fork a `host` or leased one changes
  const Layout& layout() const { return layout_; }
  // Errors: as Layout::unpack().
  Parts decode(std::uint64_t id) const { return layout_.unpack(id); }
  // Errors: as Layout::first_id().
  std::uint64_t first_id(std::int64_t unix_ms) const { return layout_.first_id(unix_ms); }
  std::uint64_t last_id(std::int64_t unix_ms) const { return layout_.last_id(unix_ms); }

 private:
  friend class Claims;  // its functions have the contracts of those of the same name here
  friend struct OpenedWith;
  Generator(const Options& options, std::unique_ptr<NodeProvider> provider);

  POLYFLAKE_ALWAYS_INLINE std::int64_t claim_now() {
    return pace_.ordering == Ordering::strict ? claim_in_current_tick() : claim_from_reserve();
  }
  std::int64_t claim_in_current_tick();
  // The same for the first id of a tick, and after another thread won the swap.
  std::int64_t claim_first_or_again(Node& node, Grant& grant, std::uint64_t tick);
  std::int64_t claim_from_reserve();  // the fast path of Ordering::per_thread
  enum class Patience { wait, none };
  std::int64_t claim_slowly(Patience patience = Patience::wait);
  IdRange claim_range(std::size_t n);
  IdRange claim_range_slowly(std::uint64_t n, Patience patience);
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns);
  std::int64_t wait_for_claim_ns(std::int64_t waited_ns, Patience with_store = Patience::wait);
  std::int64_t claimable_in_ns();
  GeneratorState state_of(const Node& node) const noexcept;
  bool wait_until_due(std::uint64_t id);  // false: claim again
  std::uint64_t next_id_slowly();
  Node* usable_node();  // null while another call opens one
  void start_with(Node& node);
  static void prepare_closing();  // so that close() need not allocate

  const Layout layout_;
  const Pace pace_;
  const std::shared_ptr<Clock> clock_;
  std::unique_ptr<NodeProvider> provider_;
  std::atomic<Node*> node_{nullptr};    // issues ids; once closed, a node that refuses
  std::atomic<Node*> opened_{nullptr};  // the last node that issued, for worker() and stats()
};

POLYFLAKE_ALWAYS_INLINE inline std::int64_t Generator::claim_in_current_tick() {
  // Acquire: a node is seen with its layout, a grant with its window.
  Node& node = *node_.load(std::memory_order_acquire);
  Grant& grant = *node.grant();
  const Grant::Owner owner = grant.owner();
  // Read before `last`, so that order between threads holds. Before the epoch: beyond any window.
  const auto tick = static_cast<std::uint64_t>(node.now());
  // Relaxed: `until` only grows, and an old value leads to the slow path.
  if (tick >= grant.until.load(std::memory_order_relaxed)) return -1;
  std::uint64_t last = grant.last.load(std::memory_order_acquire);
  const std::uint64_t position = last + 1;
  if (node.tick_of(position) != tick || !grant.take(last, position)) return claim_first_or_again(node, grant, tick);
  const std::uint64_t id = node.id_of(position);
  return owner.of_this_execution() ? static_cast<std::int64_t>(id) : -1;
}

}  // namespace polyflake
