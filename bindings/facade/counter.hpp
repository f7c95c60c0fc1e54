// Counters: numbers from a store that hosts share, over the language's own client.
//
// A runner carries as for a lease (lease.hpp). Callers take numbers through a Source of the
// counter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "facade/dates.hpp"
#include "facade/lease.hpp"

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
