// The dialect of one kind of store for counters: a read, three writes and the list of names as
// commands, and the meaning of the replies, as lease/dialect.hpp for leases. Adapters carry both
// alike.
//
// Each dialect is a source of the name of its store.
#pragma once

#include <polyflake/counter_store.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "lease/dialect.hpp"
#include "lease/record.hpp"
#include "lease/store_list.hpp"

namespace polyflake::count {

using lease::Command;
using lease::Placeholder;
using lease::Reply;

// A request that changes a counter.
using Write = std::variant<Add, WriteHead, Back>;

inline const Request& conditions_of(const Write& write) {
  return std::visit([](const auto& request) -> const Request& { return request; }, write);
}

// Requires: one exchange at a time, a begin, then a reply to each command until there is a result.
class Dialect : public lease::StoreTraits {
 public:
  virtual Command begin_read() = 0;
  virtual Command begin(const Write& write) = 0;
  // Returns the command of a read that met no table of counters: it looks at the namespace alone.
  // Nothing if that met none either.
  virtual std::optional<Command> begin_read_without_table() { return std::nullopt; }

  // Returns the next command, or the result. Errors: store_unavailable if the reply is not
  // understood.
  virtual std::variant<Command, Contents> read_replied(const Reply& reply) = 0;
  virtual std::variant<Command, Answer> write_replied(const Reply& reply) = 0;

  // These list the names of all counters. If that takes two commands, the first one finds the
  // namespace.
  virtual Command begin_names() = 0;
  virtual std::variant<Command, Names> names_replied(const Reply& reply) = 0;
  // Returns the names if the table that was asked last was never made.
  virtual Names names_without_table() const { return std::nullopt; }
};

// The names that lead to a counter.
struct Place {
  std::string space;    // the name of the namespace
  std::string counter;  // the name of the counter
  std::string schema;   // of SQL tables, "" for the default
  Placeholder placeholder = Placeholder::question;
};

namespace stores {
#define POLYFLAKE_DECLARE(name) std::unique_ptr<Dialect> name(const Place& place);
POLYFLAKE_STORES(POLYFLAKE_DECLARE)
#undef POLYFLAKE_DECLARE
}  // namespace stores

// Returns null for "memory", which has no client. kind: one of store_list.hpp. Errors:
// option_invalid for any other.
std::unique_ptr<Dialect> make_dialect(const std::string& kind, const Place& place);

// The words of scripts for the outcome of a write. Errors: store_unavailable for another word.
Outcome outcome_of(const std::string& word);

// Returns the record; nothing if there is none. Errors: store_unavailable if it is not a record of
// this library.
std::optional<Record> record_in(const std::optional<lease::Fields>& fields);

// Applies a write by the rules of a store in C++.
Answer step(std::optional<Record>& record, const Write& write, const Present& present);

}  // namespace polyflake::count
