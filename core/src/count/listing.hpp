// The counters of a namespace, as operators list them: the names, then the record of each.
// Sans-I/O, like the tasks.
#pragma once

#include <polyflake/counter_state.hpp>
#include <polyflake/counter_store.hpp>
#include <polyflake/error.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "count/dialect.hpp"
#include "lease/store_session.hpp"

namespace polyflake::count {

class Listing {
 public:
  // shown: the store, for messages; "" names none.
  explicit Listing(std::string shown) : shown_(std::move(shown)) {}

  enum class Kind { names, read, done };
  struct Request {
    Kind kind;
    std::string counter;  // of a read: its name
  };
  // Errors: the failure that ended the listing: namespace_not_initialised, store_unavailable.
  Request next() const;
  void deliver(const Names& names);
  void deliver(const Contents& contents);
  void deliver_nothing(const std::string& reason);

  // Returns them by name, once next() is done. A counter that vanished meanwhile is left out.
  const std::vector<CounterState>& states() const { return states_; }

 private:
  void fail(ErrorCode code, const std::string& reason);

  const std::string shown_;
  Names names_;         // sorted
  std::size_t at_ = 0;  // of the next one to be read
  std::vector<CounterState> states_;
  std::optional<Error> error_;
};

// Returns the dialect for the counter of a name; for the names themselves that of "".
using DialectOf = std::function<std::unique_ptr<Dialect>(const std::string& counter)>;

// Returns its requests, as commands. Requires: the listing lasts as long.
std::unique_ptr<lease::Requests> requests_of(Listing& listing, DialectOf dialect_of);

// Returns what a request of a listing is to a session.
lease::Requests::Next next_of(const Listing::Request& request);

// Carries out a request here and now, in a store of C++. Any exception of the store means that it
// was not reached.
void carry_out(const Listing::Request& request, CounterStore& store, Listing& listing);

}  // namespace polyflake::count
