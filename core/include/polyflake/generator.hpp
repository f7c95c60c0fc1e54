// Generators: ids that are unique, time-ordered and, per generator, strictly increasing.
//
//   polyflake::Generator generator;   // node id from this host's registry
//   std::uint64_t id = generator.next_id();
//
// Lock free: one clock read and one compare-and-swap an id. When the ids of a tick are used up, or the
// clock went back, a call first claims its id and then waits for the id's tick ("claim, then wait"), so
// waiting is fair and no two callers race when it ends. Algorithm and limits: docs/architecture.md.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <polyflake/error.hpp>
#include <polyflake/layout.hpp>
#include <polyflake/detail/node.hpp>
#include <polyflake/worker.hpp>

namespace polyflake {

// What holds between the ids of one generator. Those of one thread always rise, and none is ever issued twice.
enum class Ordering {
  strict,      // an id is above every id whose call returned before its call began, in whatever thread
  per_thread,  // only as far as the tick: each thread takes runs of the tick's sequence for itself, which spares
               // threads the fight for one memory word. A thread leaves up to 1/64 of a tick's sequence unused
};

// "strict" or "per_thread". Errors: option_invalid.
Ordering parse_ordering(std::string_view text);

struct Options {
  Worker worker;                                 // see worker.hpp
  Layout layout = "polyflake";
  std::int64_t max_wait_ms = 10;                 // longest one call may wait for the clock, 0 to 2^31 - 1; one
                                                 // tick is always waited out; counts in whole ticks, rounded down
  std::int64_t max_lead_ms = 0;                  // how far ids may run ahead of the clock without waiting, same range;
                                                 // with a `host` worker two ticks less than its window of 2 s
  std::optional<std::int64_t> sequence_spread;   // 1 (start every tick at sequence 0) to an eighth of the sequence's
                                                 // capacity, which is the default
  Ordering ordering = Ordering::strict;
  std::shared_ptr<Clock> clock;                  // null: the system clock
};

// Of the state that the generator shares with others of its layout and node id.
struct Stats {
  std::uint64_t issued;                // ids; calls under way may be missing. With Ordering::per_thread also what
                                       // other threads hold, or held when they turned to another generator
  std::uint64_t waits;                 // claims that had to wait for their tick
  double waited_ms;                    // for how long, as planned when they were claimed
  std::uint64_t sequence_exhaustions;  // ticks whose sequence ran out before the clock moved on
  std::uint64_t clock_steps_back;      // as seen by calls
  std::int64_t largest_step_back_ms;
  std::int64_t lead_ms;                // the last id's tick minus the clock; 0 when not ahead
  std::int64_t until_ms;               // Unix ms at which the present grant ends
  double years_left;                   // until the layout's last tick
};

// A claimed id, and whether its tick has come. Or none: nothing can be claimed yet, since a window has not begun. Then its
// id() is 0, which is never issued (no position below 1 is), and Generator::wait_ns(0) says for how long.
class Claim {
 public:
  Claim(std::uint64_t id, bool ready) : word_(ready ? static_cast<std::int64_t>(id) : ~static_cast<std::int64_t>(id)) {}
  static Claim none() { return Claim(0, false); }
  bool ready() const { return word_ >= 0; }
  std::uint64_t id() const { return static_cast<std::uint64_t>(ready() ? word_ : ~word_); }
  // The id (>= 0) when ready, else ~id (< 0): one word that crosses any language border.
  std::int64_t word() const { return word_; }

 private:
  std::int64_t word_;
};

// Whether ids can be had, as far as is known without issuing one.
struct GeneratorState {
  enum class Name { starting, open, waiting, lost, closed } name;
  std::optional<ErrorCode> code;  // what the next call would raise, where that is known
};
// "starting", "open", "waiting", "lost" or "closed".
const char* name_of(GeneratorState::Name name) noexcept;

// Ids claimed in one piece: first, first + step, first + 2 * step, ...
struct IdRange {
  std::uint64_t first;
  std::uint64_t step;
  std::size_t count;
  bool ready;  // false: the last of them must be waited for before any is used

  // Writes them to ids[0] ... ids[count - 1].
  void write(std::uint64_t* ids) const;
};

// How a generator comes to a new state when the present one is void: after a fork, or a lost node id.
class NodeProvider {
 public:
  virtual ~NodeProvider() = default;
  // A state whose ids are above those of `old`, joined for the caller; its window may begin in the future. Null while
  // another call of the process opens one. Blocking: I/O.
  virtual State* reopen(State& old) = 0;
  // What reopen() comes to in a copy of the process.
  virtual GeneratorState after_fork() const noexcept = 0;
};

// What the language's channel for warnings should say after a generator was opened, "" when nothing. Given once a process.
std::string take_warning();

// Gives the `host` node ids of this process back, as happens at exit: for processes that end without exit handlers. No
// `host` generator issues afterwards, but for one whose files another thread is writing.
void release_all() noexcept;

class ThreadReserve;

class Generator {
 public:
  // Never sleeps: where the window of the node id begins later, the first call waits for that. With a `host` worker up
  // to a window of 2 s (two ticks where those are longer) in a registry folder that is new, or where the node id was held
  // by a process killed a moment ago; with a number for the next tick.
  // Blocking: file I/O with a `host` worker. Not for signal handlers.
  // Errors: option_invalid, field_out_of_range, unknown_field, layout_too_wide (ids would pass 2^63),
  // worker_source_invalid, worker_in_use, no_worker_free, registry_unusable, forked_generator, and on the
  // system clock clock_before_epoch, time_exhausted.
  explicit Generator(Options options = {});
  ~Generator();
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  // The next id, below 2^63 and above every id whose call returned before this one began (see Ordering).
  // Blocking: at most max_wait_ms (or one tick) for the clock, or for a window to begin; every 2 s one call does the file
  // I/O of a `host` worker, others wait for it as for the clock.
  // Errors: clock_before_epoch, clock_behind (nothing is claimed), time_exhausted, forked_generator, generator_closed,
  // registry_unusable, and where a node id is taken anew worker_in_use, no_worker_free. Thread safety: any number of
  // threads.
  std::uint64_t next_id() {
    const Claim claimed = claim();
    return claimed.ready() ? claimed.id() : wait_for(claimed.id());
  }

  // The same, but nothing where next_id() would wait; then nothing is claimed either. Errors: as next_id().
  std::optional<std::uint64_t> try_next_id();

  // The n ids that as many calls of next_id() would give, with one swap per tick touched.
  // Blocking: as long as the clock needs for so many ids. Errors: as next_id(); ids claimed before are lost.
  void fill(std::uint64_t* ids, std::size_t n);

  // next_id() as decimal text, for JSON. Errors: as next_id().
  std::string next_id_string();

  // The same as fill(). Errors: as fill().
  std::vector<std::uint64_t> next_ids(std::size_t n);

  // For callers that wait in their own way (bindings, event loops). After claim() is not ready, ask wait_ns()
  // until it says 0: the id is yours; or less: this process is a copy, claim again.
  Claim claim() {
    const std::int64_t id = claim_now();
    return id >= 0 ? Claim(static_cast<std::uint64_t>(id), true) : claim_slowly(1).as_claim();
  }
  // The fast path of claim() alone: an id, or -1 where claim() would have to wait, take a lock, do I/O or raise; for
  // callers that want to leave a lock first. By value: an id in memory would be one more store that the next reading of
  // the clock waits for.
  std::int64_t claim_now() { return ordering_ == Ordering::strict ? claim_in_this_tick() : claim_from_own_run(); }
  // Claims up to n ids and stops where waiting is needed: k > 0 are ready; of -k the last must be waited for,
  // and if wait_ns() is then negative the whole batch is void. 0: n is 0, or nothing can be claimed yet (see Claim).
  std::int64_t claim_run(std::uint64_t* ids, std::size_t n);
  // Claims between 1 and n ids (none for n == 0), without writing them anywhere yet: for memory that must not be held
  // while files are read. A closed generator is refused for any n.
  IdRange claim_ids(std::size_t n);
  // Nanoseconds until the tick of this claimed id comes, 0, or -1. Moves a manual clock instead. waited_ns: what
  // was waited for this id already, so that a clock which stands still ends in clock_behind.
  std::int64_t wait_ns(std::uint64_t id, std::int64_t waited_ns = 0);

  // Ends issuing through this object; idempotent, safe while other threads issue. A `host` node id stays with
  // the process, since other generators may share it.
  void close() noexcept;
  bool closed() const noexcept;

  // Moves the window on ahead of need, so that no call for an id meets the flush for about one window. Nothing to do
  // with a static number. Blocking: I/O. Errors: as next_id(). Thread safety: any thread.
  void renew();

  // For health checks: issues nothing, reads no file, never throws. Thread safety: any thread.
  GeneratorState state() const noexcept;

  std::uint64_t worker() const;    // node id; changes when a forked child takes its own
  const Layout& layout() const { return layout_; }
  Stats stats() const;

 private:
  // A run of positions inside one tick.
  struct Run {
    const State* state;
    std::uint64_t first;
    std::uint64_t count;  // 0: nothing can be claimed yet, or not without waiting
    bool ready;
    static Run none() { return {nullptr, 0, 0, false}; }
    Claim as_claim() const { return count == 0 ? Claim::none() : Claim(state->id_of(first), ready); }
  };

  // The fast path of Ordering::strict.
  std::int64_t claim_in_this_tick() {
    // Acquire: a state is seen with its layout, a grant with its window.
    State& state = *state_.load(std::memory_order_acquire);
    Grant& grant = *state.grant();
    const Grant::Owner owner = grant.owner();
    // Read before `last` is loaded, so that order between threads holds. Before the epoch it is beyond any window.
    const auto tick = static_cast<std::uint64_t>(state.now());
    // Relaxed: `until` only grows, an old value sends us to the slow path.
    if (tick >= grant.until.load(std::memory_order_relaxed)) return -1;
    std::uint64_t last = grant.last.load(std::memory_order_acquire);
    const std::uint64_t position = last + 1;
    if (state.tick_of(position) != tick || !swap(grant, last, position)) return claim_first_or_again(state, grant, tick);
    const std::uint64_t id = state.id_of(position);
    return owner.present() ? static_cast<std::int64_t>(id) : -1;
  }

  // The same for the first id of a tick, and after a swap that another thread won.
  std::int64_t claim_first_or_again(State& state, Grant& grant, std::uint64_t tick);

  // Moves `last` to `next`; else reloads it. Acquire-release: positions are handed over between threads in one order.
  static bool swap(Grant& grant, std::uint64_t& last, std::uint64_t next) {
    return grant.last.compare_exchange_strong(last, next, std::memory_order_acq_rel, std::memory_order_acquire);
  }

  // Moves `last` to the end of the run of positions that begins at `first`, and counts what it jumps over as skipped;
  // else reloads it.
  static bool take(State& state, Grant& grant, std::uint64_t& last, std::uint64_t first, std::uint64_t count,
                   std::uint64_t now_tick);

  // Takes the next positions of the present tick, if there is no more to it than that: up to `most`, and no more than
  // what the tick has left / 2^share, but one at least.
  bool take_in_this_tick(State& state, Grant& grant, std::uint64_t most, unsigned share, std::uint64_t& position,
                         std::uint64_t& count);
  // The same, of a tick that is known to be the present one and inside the window.
  bool take_in_tick(State& state, Grant& grant, std::uint64_t tick, std::uint64_t most, unsigned share,
                    std::uint64_t& position, std::uint64_t& count);
  // The sequence with which a tick begins, after `last`.
  std::uint64_t start_of(const State& state, std::uint64_t tick, std::uint64_t last) const;

  // The fast path of Ordering::per_thread.
  std::int64_t claim_from_own_run();
  // What the calling thread has left of this tick, up to `most`; nothing in strict order. Drops what it has left of
  // another tick.
  bool take_from_own_run(State& state, Grant& grant, std::uint64_t most, std::uint64_t& position, std::uint64_t& count);
  bool refill(ThreadReserve& run, State& state, Grant& grant);
  void drop_own_run(Grant& grant) const;

  enum class Patience { wait, none };
  Run claim_slowly(std::uint64_t n, Patience patience = Patience::wait);
  Run claim_positions(std::uint64_t n);
  std::int64_t claim_runs(std::uint64_t* ids, std::size_t n);
  bool wait_until_due(std::uint64_t id);  // false: a copy of the process must discard the id
  std::uint64_t wait_for(std::uint64_t id);
  State* usable_node();  // null while another call opens one
  // The earliest tick of the clock at which the next position can be claimed.
  std::uint64_t claimable_from(const State& state, const Grant& grant, std::uint64_t last) const;
  bool begins_soon(const State& state, const Grant& grant, std::uint64_t last, std::uint64_t now_tick) const;
  std::int64_t wait_for_claim_ns(std::int64_t waited_ns);
  void start_with(State& state);
  static void prepare_closing();  // so that close() need not allocate
  [[noreturn]] void refuse_clock_behind(State& state, const Grant& grant, std::uint64_t tick) const;

  const Layout layout_;
  const std::shared_ptr<Clock> clock_;
  std::unique_ptr<State> private_node_;   // on a manual clock
  std::unique_ptr<NodeProvider> source_;
  std::uint64_t spread_;
  const Ordering ordering_;
  std::int64_t lead_ticks_;
  std::int64_t wait_ticks_;                // at least 1
  std::atomic<State*> state_{nullptr};     // where ids come from; one that refuses everything when closed
  std::atomic<State*> opened_{nullptr};    // the last real one, for worker() and stats()
};

}  // namespace polyflake
