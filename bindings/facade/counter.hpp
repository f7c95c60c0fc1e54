// Counters: numbers from a store that hosts share, over the language's own client.
//
// A runner carries as for a lease (lease.hpp). Callers take numbers through a Source of the
// counter.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <polyflake/detail/range.hpp>
#include <polyflake/detail/waiting_call.hpp>

#include "facade/dates.hpp"
#include "facade/lease.hpp"
#include "facade/source.hpp"

namespace polyflake::count {
class Counter;
struct CounterUse;
}  // namespace polyflake::count

namespace polyflake::facade {

// Returns the names of the options of a counter that are whole numbers, in snake_case.
std::vector<std::string> counter_number_options();

// A counter of this process. Thread safety: as Lease.
class Counter : public StoreSession {
 public:
  // name: of the counter; names, values: some of counter_number_options(). Errors: option_invalid.
  Counter(const StoreAddress& address, const std::string& name, const std::vector<std::string>& names,
          const std::vector<std::int64_t>& values, const std::string& placeholder);
  // A counter of dates of this period and these digits.
  Counter(const StoreAddress& address, const std::string& name, const DateNumbers& numbers, const std::string& zone,
          const std::vector<std::string>& names, const std::vector<std::int64_t>& values,
          const std::string& placeholder);

  // Returns true if sources can be opened with it: once the counter was read. False in a copy of
  // the process until it has read it itself.
  bool granted() const;
  // Raises the error that explains why no numbers come.
  [[noreturn]] void raise_failure() const;
  std::int64_t acquire_timeout_ms() const;  // the longest wait of one call
  std::int64_t command_timeout_ms() const;

  // Ends issuing; step() then gives back what is left. Does nothing in a copy of the process.
  void release() noexcept;
  bool of_this_execution() const;
  void begin_anew();
  std::string namespace_uuid() const;  // "" before the counter was read
  // As that of Lease.
  std::vector<std::string> take_report();

 private:
  friend class Options;
  void begin(const StoreAddress& address, count::CounterUse use, const std::string& placeholder);
  std::shared_ptr<count::Counter> counter_;
};

// Numbers of a counter as a source.
class CountedSource final : public Source {
 public:
  // Requires: options with a counter.
  explicit CountedSource(const Options& options);

  std::size_t id_bytes() const override { return sizeof(std::uint64_t); }
  std::int64_t claim_id(Claiming how, unsigned char* id) override;
  IdRange claim_ids(unsigned char* ids, std::size_t n) override;
  // Errors: store_unavailable once the caller has waited for timeout_ms.
  std::int64_t wait_ns(std::uint64_t position, std::int64_t waited_ns) override;
  bool take_wake() override;

  // Claims the next number that is held, as claim_id(Claiming::now), for calls whose cost matters.
  // Returns false if none is held.
  bool claim_held(std::uint64_t& number);

  // Claims a number; else notes that the call waits for one, and returns false. Errors: as
  // claim_id(); store_unavailable once the call has waited for timeout_ms. An error takes the note
  // back, as give_up() does.
  bool claim_or_note(WaitingCall& call, std::int64_t waited_ns, std::uint64_t& number);
  // Blocks until there may be a number for the call, at most so long. Returns the time blocked, at
  // least 1.
  std::int64_t await(const WaitingCall& call, std::int64_t ns) const;
  void give_up(WaitingCall& call);

  void renew() override {}
  GeneratorState state() const override;
  void close() noexcept override { closed_.store(true, std::memory_order_relaxed); }
  bool closed() const noexcept override { return closed_.load(std::memory_order_relaxed); }
  std::uint64_t worker() const override { return 0; }
  std::string layout() const override { return ""; }
  polyflake::Stats stats() const override;

 private:
  void expect(std::size_t /*n*/) const override {}
  void refuse_closed() const;
  Range::Numbers take(Claiming how, std::size_t n);
  bool is_late(std::int64_t waited_ns) const;
  [[noreturn]] void refuse_late() const;

  const std::shared_ptr<count::Counter> counter_;
  std::atomic<bool> closed_{false};
};

// Operators' functions; step() says "done" at the end.
class CounterTask : public StoreSession {
 public:
  // Makes the counter if it is missing: the first number is after + 1. options: names and texts of
  // CounterOptions ("kind", "failover", "rate", "burst", "top", ...). Errors: option_invalid.
  static CounterTask init(const StoreAddress& address, const std::string& name, std::uint64_t after,
                          const std::vector<std::string>& names, const std::vector<std::string>& values,
                          const std::string& placeholder);
  // Sets the counter: an operator vouches that no number above `after` was or will be given out.
  // period: that of `after`, of a date, refused once it is over; 0: the present one.
  static CounterTask set(const StoreAddress& address, const std::string& name, std::uint64_t after,
                         std::uint64_t period, const std::string& placeholder);

 private:
  explicit CounterTask(std::shared_ptr<State> state) : StoreSession(std::move(state)) {}
};

}  // namespace polyflake::facade
