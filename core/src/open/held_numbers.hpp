// A counter in one execution of the process: its machine, and the numbers it holds. A runner asks
// for the next request and reports its result; callers take numbers.
//
// Thread safety: any thread; the functions for the runner one call at a time. In a copy of the
// process only of_this_execution() may be called, since threads that were not copied may hold the
// lock.
#pragma once

#include <polyflake/counter_store.hpp>
#include <polyflake/detail/execution.hpp>
#include <polyflake/detail/range.hpp>
#include <polyflake/segment.hpp>
#include <polyflake/stats.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "count/machine.hpp"
#include "count/requests.hpp"
#include "count/supply.hpp"
#include "count/zone_periods.hpp"
#include "open/lease.hpp"

namespace polyflake::count {

// The use that a source makes of a counter.
struct CounterUse {
  SegmentOptions options;  // of a date: step and timeout_ms alone
  Shape shape{};           // required of the counter
};

class HeldNumbers final : public Asker {
 public:
  // shown: the store, as messages name it; "" leaves it unnamed.
  explicit HeldNumbers(const CounterUse& use, const std::optional<Word>& uuid = std::nullopt, std::string shown = "");

  bool of_this_execution() const { return execution_ == Execution::current(); }

  // --- for the runner ----------------------------------------------------------------------------

  // Returns a request, offset, sleep, or done.
  Action next() override;
  void deliver(std::uint64_t number, const Contents& contents) override;
  void deliver(std::uint64_t number, const Answer& answer) override;
  void deliver_nothing(std::uint64_t number, const std::string& reason) override;
  void deliver_offset(std::optional<std::int64_t> offset_ms) override;

  // --- for callers -------------------------------------------------------------------------------

  // The numbers of a date are whole ones, with the label of their period.
  Range& word() { return word_; }

  // Drops what is held of a date whose period is over, by the store's time. Called before numbers
  // are taken, if what is held may be over.
  void drop_if_over();
  // Relaxed: a value that is out of date is like a call that came earlier.
  bool may_be_over() const { return over_ms_.load(std::memory_order_relaxed) != INT64_MAX; }

  // Puts the next numbers that are held into the word, and asks for more if few are left. Returns
  // false if there are none. Errors: generator_closed; the failure that no waiting mends.
  bool serve();
  // The same. If there are none, notes a caller that waits for so many numbers, and in waits_since
  // when that was: it is noted once until the next grant or refusal, which forgets all callers.
  // number: one that the caller took from the word before its range came. If that range is there,
  // the caller has what it needs: returns true.
  bool serve_or_wait(std::uint64_t numbers, std::optional<std::uint64_t>& waits_since,
                     std::uint64_t number = Range::kFrozen);
  // The same. If there are none, asks for one, unless some are asked for already: for callers that
  // do not wait, and those that a grant forgot. number: as above.
  bool serve_or_want(std::uint64_t number = Range::kFrozen);
  void stop_waiting(std::uint64_t numbers);  // since the caller gives up

  // Takes a number for a call that blocks its thread. If there is none, notes that the call waits
  // until it has one; calls that are noted share a request. Errors: as serve(); the note remains.
  std::optional<std::uint64_t> take_or_note(WaitingCall& call);
  // Blocks until there is news for a call that is noted, at most so long.
  void await(const WaitingCall& call, std::chrono::nanoseconds most);
  void forget(WaitingCall& call);  // since it gives up; nothing if it is not noted here

  // Returns true once the counter was read and may be used.
  bool is_open() const;
  // Returns why no range comes; nothing as long as one may come.
  std::optional<lease::Failure> failure() const;
  // Returns true, once, if a sleeping runner must ask for the next request now.
  bool take_wake();
  // Returns a line for the log of the application, once, if numbers were left out after a failover.
  std::optional<std::string> take_report();

  // Ends issuing; next() gives what is left to do, then done. Idempotent.
  void close() noexcept;
  Stats stats() const;
  std::string namespace_uuid() const;  // "" before the counter was read

 private:
  void follow(const Action& event);
  void hold(const Numbers& numbers);
  void drop_now_if_over();
  std::uint64_t count_of(std::uint64_t number) const;
  void take_events();
  bool serve_now(std::uint64_t number = Range::kFrozen);
  void begin_round();
  void remove(WaitingCall& call);
  std::uint64_t due() const;
  [[noreturn]] void refuse(const lease::Failure& failure);
  void ask();
  std::optional<lease::Failure> named_failure() const;

  const std::string counter_;
  const std::string shown_;
  const std::int64_t opened_ms_;  // mono
  const std::uint64_t execution_ = Execution::current();
  const std::uint64_t scale_;  // of a date: 10 to the power of its digits; 0 of a segment
  const bool names_zone_;      // of a date: only a language knows its offsets
  mutable std::mutex mutex_;
  std::condition_variable round_began_;
  lease::SystemRandom random_;
  ZonePeriods periods_;
  Machine machine_;
  Supply supply_;
  Range& word_;
  std::uint64_t label_ = 0;                       // of the period of what is held, of a date
  std::atomic<std::int64_t> over_ms_{INT64_MAX};  // mono: when that period is over
  std::uint64_t wanted_ = 0;                      // numbers that callers wait for, in this round
  std::uint64_t waiting_ = 0;                     // calls that are noted
  std::uint64_t round_ = 0;                       // changes with each grant and each refusal
  bool wake_ = false;
  bool closed_ = false;
  Action::Kind asked_ = Action::Kind::sleep;  // the last action that the runner got
  std::int64_t asked_ms_ = 0;                 // mono: when it got it
  std::int64_t last_fetch_ms_ = 0;
  std::uint64_t jumps_ = 0;
  std::optional<std::string> report_;
};

}  // namespace polyflake::count
