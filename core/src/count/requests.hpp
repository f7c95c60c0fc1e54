// The requests of one counter to its store, as commands: what lease/store_session.hpp carries.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "count/dialect.hpp"
#include "count/machine.hpp"
#include "lease/store_session.hpp"

namespace polyflake::count {

// The side that asks: a counter of this process, or a task.
class Asker {
 public:
  virtual ~Asker() = default;
  // Returns a request, sleep, or done.
  virtual Action next() = 0;
  virtual void deliver(std::uint64_t number, const Contents& contents) = 0;
  virtual void deliver(std::uint64_t number, const Answer& answer) = 0;
  virtual void deliver_nothing(std::uint64_t number, const std::string& reason) = 0;
  // Tells the offset that was asked for, in ms east of UTC; nothing if the zone has none.
  virtual void deliver_offset(std::optional<std::int64_t> /*offset_ms*/) {}
  // Returns true if it makes a counter. Then a read makes a missing table first.
  virtual bool makes_counter() const { return false; }
};

// Returns what an action of an asker is to a session.
lease::Requests::Next next_of(const Action& action);

// Requires: the asker lasts as long.
std::unique_ptr<lease::Requests> requests_of(Asker& asker, std::unique_ptr<Dialect> dialect);

// Carries out a request here and now, in a store of C++, and tells the asker what came of it. Any
// exception of the store means that it was not reached.
void carry_out(const Action& action, const std::string& counter, CounterStore& store, Asker& asker);

}  // namespace polyflake::count
