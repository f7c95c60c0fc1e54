// The tasks of operators on a counter: make it, set it. Sans-I/O, like the machine.
#pragma once

#include <polyflake/counter_options.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "count/machine.hpp"

namespace polyflake::count {

// The reason of namespace_not_initialised, for messages.
constexpr char kNoNamespace[] =
    "there is no such namespace in this store. If it is the right store, make the namespace once, with "
    "init_namespace";

// Returns the periods of a date of this shape: periods_of(), or a language's function.
using PeriodsOf = std::function<PeriodOf(const Shape&)>;

class Task {
 public:
  virtual ~Task() = default;

  // Returns a read, head or sleep, or done. Requires: the result of the former request was
  // delivered.
  Action next(Time now);
  // Errors: the failure that ends the task.
  void deliver(const Contents& contents);
  void deliver(const Answer& answer);
  // Takes the fact that the store was not reached. Errors: store_unavailable at the first request,
  // and after many rounds.
  void deliver_nothing(const std::string& reason);

 protected:
  Task(std::string counter, PeriodsOf periods_of, std::string label, Random& random);

  // Returns the new record without nonces; nothing if all is as it should be. Errors: the failure
  // that ends the task.
  virtual std::optional<Record> wanted(const Contents& contents) = 0;
  // Returns the record that an operator sets, in the period of the store's time. Errors:
  // option_invalid, time_exhausted.
  Record set(const Record& record, std::uint64_t after, const Contents& contents) const;
  // The period of the store's time, of a date. Errors: as set().
  std::optional<Period> period_now(const Head& head, const Contents& contents) const;

  Random& random_;

 private:
  void plan(Record record, const Contents& contents);
  void count_round(const std::string& reason);

  const std::string counter_;
  const PeriodsOf periods_of_;
  const std::string label_;
  std::optional<WriteHead> planned_;
  bool done_ = false;
  bool answered_ = false;
  int rounds_ = 0;
  bool pauses_ = false;
  std::int64_t not_before_ms_ = 0;  // mono
};

// Makes a counter whose first number is after + 1, unless there is one of the same shape.
class InitTask final : public Task {
 public:
  // Errors: option_invalid.
  InitTask(std::string counter, std::uint64_t after, const CounterOptions& options, PeriodsOf periods_of,
           std::string label, Random& random);

 private:
  std::optional<Record> wanted(const Contents& contents) override;

  const std::uint64_t after_;
  const Head head_;
};

// Sets a counter: the next number is after + 1, also if that is lower.
class RaiseTask final : public Task {
 public:
  // period_label: that of `after`, of a date, refused once it is over; nothing: the present one.
  // Errors: option_invalid.
  RaiseTask(std::string counter, std::uint64_t after, std::optional<std::uint64_t> period_label, PeriodsOf periods_of,
            std::string label, Random& random);

 private:
  std::optional<Record> wanted(const Contents& contents) override;
  void check_period(const Head& head, const Contents& contents) const;

  const std::uint64_t after_;
  const std::optional<std::uint64_t> period_label_;
};

}  // namespace polyflake::count
