// Leases: node ids from a store that hosts share, over the language's own client.
//
// A runner carries: it asks step() what to do, gives a command to the adapter of the store, and
// reports the result with deliver() or fail(), until step() says "failed" or "done". The source of
// each dialect in core/src/lease describes its commands and replies; adapters need not understand
// them. Thread safety: one call to a StoreSession at a time, from any thread. The functions of
// Lease, except begin_anew(), may run at the same time as such a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polyflake::facade {

// Returns true if the text is meant as the address of a store: "redis://host/0?namespace=orders".
bool is_store_address(const std::string& text);

// Returns the words of a client for a failure, with advice on its code: that of the store, or of
// the system. For failures before there is a StoreSession.
std::string store_failure(const std::string& words, const std::string& code);

// A namespace in a store, and the options for it.
class StoreAddress {
 public:
  // kind: "redis" or another name of core/src/lease/store_list.hpp; shown: the store, for people,
  // without credentials.
  StoreAddress(const std::string& kind, const std::string& shown);
  // Errors: worker_source_invalid, option_invalid.
  static StoreAddress parse(const std::string& url);
  // The address of a MySQL or MariaDB that is used without a namespace. Errors: as parse().
  static StoreAddress parse_ticket_server(const std::string& url);

  // Sets one of "namespace", "uuid", "auto_init", "window_ms", "tolerance_ms",
  // "acquire_timeout_ms", "renew_wait_ms", "label" and "schema", as its text in an address. Errors:
  // option_invalid, also for any other name.
  void set(const std::string& name, const std::string& value);

  const std::string& kind() const { return kind_; }
  // The address for the client, without Polyflake's parameters.
  const std::string& client() const { return client_; }
  std::string shown() const;
  std::string name() const;  // of the namespace; "" if none was set

 private:
  friend class Counter;
  friend class CounterList;
  friend class CounterTask;
  friend class Lease;
  friend class NamespaceTask;
  friend class StoreSession;
  struct Parts;
  std::string kind_;
  std::string client_;
  std::shared_ptr<Parts> parts_;
};

// A reply of the store: rows of texts, some of which may be missing.
class StoreReply {
 public:
  StoreReply();
  void begin_row();
  void add(const std::string& text);
  void add_nothing();

 private:
  friend class StoreSession;
  struct Rows;
  std::shared_ptr<Rows> rows_;
};

struct StoreStep {
  std::string what;         // "command", "offset", "sleep", "failed" or "done"
  std::int64_t number = 0;  // of a command, for deliver() and fail(); of an offset: Unix ms
  std::string name;         // of a command; of an offset: a zone, as "Europe/Berlin"
  std::vector<std::vector<std::string>> parts;
  std::int64_t sleep_ms = 0;  // until the next step(), at the latest

  std::size_t part_count() const { return parts.size(); }
  const std::vector<std::string>& part(std::size_t i) const { return parts.at(i); }
};

// The common part of leases, counters and tasks. Copies share one state.
class StoreSession {
 public:
  struct State;

  // Returns the next thing to do. Errors: forked_generator in a copy of the process; the error that
  // ended a task.
  StoreStep step();
  // Returns false if the runner must close the connection that the reply came on.
  bool deliver(std::int64_t number, const StoreReply& reply);
  // code: that of the store (an SQLSTATE or a number), "" if there is none.
  void fail(std::int64_t number, const std::string& code, const std::string& reason);
  // Tells the offset that was asked for: the seconds by which the clocks of the zone are ahead of
  // UTC then; or that the library of the language knows none.
  void tell_offset(std::int64_t seconds);
  void tell_no_offset();

  // Returns the statements that a new connection begins with.
  std::vector<std::string> setup() const;

 protected:
  explicit StoreSession(std::shared_ptr<State> state);
  // Begins a session in a copy of the process.
  void begin_session();
  std::shared_ptr<State> state_;
};

// placeholder: the spelling of arguments in the client's SQL for MySQL, "?" or "%s"; "?" for
// others.
class Lease : public StoreSession {
 public:
  // layout: a text or preset. Errors: option_invalid, layout errors, time_exhausted.
  Lease(const StoreAddress& address, const std::string& layout, const std::string& placeholder);

  // Returns true if generators can be opened with it: from the first window on. False in a copy of
  // the process until it has its own window.
  bool granted() const;
  // Raises the error that explains why there is no window, or no longer one.
  [[noreturn]] void raise_failure() const;
  std::int64_t acquire_timeout_ms() const;
  // Returns the longest time of the next command; once there is a window, less if the namespace's
  // window is shorter.
  std::int64_t command_timeout_ms() const;

  // Renews at the next step, regardless of the time left.
  void hurry();
  // Ends issuing; step() then gives the remaining work. Does nothing in a copy of the process.
  void release() noexcept;

  // Returns false in a copy of the process (fork): the lease belongs to the original. begin_anew()
  // then asks for another node id, with a runner and connections of the copy.
  bool of_this_execution() const;
  void begin_anew();

  // Returns how many windows the store has confirmed so far, the first one of each node id too.
  std::int64_t confirmations() const;
  std::string namespace_uuid() const;  // "" before the first window

  // Returns the level, "warning" or "info", and a line for the log of the application if the state
  // of the lease has changed; nothing otherwise. A runner asks after each step.
  std::vector<std::string> take_report();

 private:
  friend class Options;
  struct Held;
  std::shared_ptr<Held> held_;
};

// Operators' functions; the result is there once step() says "done".
class NamespaceTask : public StoreSession {
 public:
  // Makes the namespace if it is missing; the result is its UUID.
  static NamespaceTask init(const StoreAddress& address, const std::string& layout, const std::string& placeholder,
                            bool fresh);
  // Sets the time before which no window begins, and a new term: no earlier holder writes again.
  // lower: permits a floor earlier than the recorded one, at least W + 2S from now.
  // Errors: field_out_of_range outside the time span of the layout.
  static NamespaceTask raise_floor(const StoreAddress& address, const std::string& layout,
                                   const std::string& placeholder, std::int64_t unix_ms, bool lower);
  // Lists the present holders of node ids.
  static NamespaceTask leases(const StoreAddress& address, const std::string& layout, const std::string& placeholder);

  // After init(): an operator vouches that a demoted primary is never served again. Errors:
  // option_invalid for stores other than Redis.
  void fence();
  // After raise_floor(): names the copies of Redis that count from then on, separated by commas.
  // The task is done once all of them have the floor. Errors: option_invalid, also for other
  // stores.
  void name_copies(const std::string& space);

  std::string uuid() const;
  std::size_t count() const;  // of leases
  std::int64_t node(std::size_t i) const;
  std::int64_t until_ms(std::size_t i) const;
  std::string label(std::size_t i) const;

 private:
  struct Work;
  NamespaceTask(std::shared_ptr<State> state, std::shared_ptr<Work> work);
  // Errors: option_invalid for stores other than Redis.
  void check_counts_copies() const;
  std::shared_ptr<Work> work_;
};

}  // namespace polyflake::facade
