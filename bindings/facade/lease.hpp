// Leases: node ids from a store that hosts share, over the language's own client.
//
// A runner carries: it asks step() what to do, gives a command to the adapter of the store, and says what came of it with
// deliver() or fail(), until step() says that it failed or is done. Commands and replies are described for each kind of store in
// core/src/lease/dialect.hpp; adapters understand nothing of them. Of a StoreTalk one call at a time, from any thread; what a
// lease says of itself and is told, beginning anew excepted, also while another thread is in such a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polyflake::facade {

// "redis://host/0?namespace=orders": whether it is meant as the address of a store.
bool is_store_address(const std::string& text);

// A namespace in a store, and what is wanted of it.
class StoreAddress {
 public:
  // kind: "redis", "zookeeper", "etcd", "postgresql" or "mysql"; shown: the store, for people, without credentials.
  StoreAddress(const std::string& kind, const std::string& shown);
  // Errors: worker_source_invalid, option_invalid.
  static StoreAddress parse(const std::string& url);

  // "namespace", "uuid", "auto_init", "window_ms", "tolerance_ms", "acquire_timeout_ms", "renew_wait_ms", "label" or "schema",
  // with the text it has in an address. Errors: option_invalid, also for any other name.
  void set(const std::string& name, const std::string& value);

  const std::string& kind() const { return kind_; }
  const std::string& client() const { return client_; }  // the address for the client, without our parameters
  std::string shown() const;
  std::string name() const;  // of the namespace; "" where none was set

 private:
  friend class Lease;
  friend class NamespaceTask;
  friend class StoreTrial;
  struct Parts;
  std::string kind_;
  std::string client_;
  std::shared_ptr<Parts> parts_;
};

// What the store said: rows of texts, some of which may be missing.
class StoreReply {
 public:
  StoreReply();
  void begin_row();
  void add(const std::string& text);
  void add_nothing();

 private:
  friend class StoreTalk;
  struct Rows;
  std::shared_ptr<Rows> rows_;
};

struct StoreStep {
  std::string what;         // "command", "sleep", "failed" or "done"
  std::int64_t number = 0;  // of a command, for deliver() and fail()
  std::string name;         // of a command
  std::vector<std::vector<std::string>> parts;
  std::int64_t sleep_ms = 0;  // until step() is to be called again, at the latest

  std::size_t part_count() const { return parts.size(); }
  const std::vector<std::string>& part(std::size_t i) const { return parts.at(i); }
};

// What leases and tasks have in common. Copies are the same one.
class StoreTalk {
 public:
  // Errors: forked_generator in a copy of the process; of a task, what ended it.
  StoreStep step();
  // Returns false if the connection that the reply came on is to be closed.
  bool deliver(std::int64_t number, const StoreReply& reply);
  // code: that of the store (an SQLSTATE or a number), "" where there is none.
  void fail(std::int64_t number, const std::string& code, const std::string& reason);

  // Statements that a new connection begins with.
  std::vector<std::string> setup() const;

 protected:
  struct State;
  explicit StoreTalk(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

// placeholder: how the client writes the arguments of MySQL's SQL, "?" or "%s"; "?" for others.
class Lease : public StoreTalk {
 public:
  // layout: a text or preset. Errors: option_invalid, layout errors, time_exhausted.
  Lease(const StoreAddress& address, const std::string& layout, const std::string& placeholder);

  // Whether generators can be opened with it: from the first window on, false in a copy of the process until it has its own.
  bool granted() const;
  // Raises why there is no window, or no longer one.
  [[noreturn]] void raise_failure() const;
  std::int64_t acquire_timeout_ms() const;
  // How long the next command may take; once there is a window, shorter where that of the namespace is.
  std::int64_t command_timeout_ms() const;

  // Renews at the next step, however much is left.
  void hurry();
  // Nothing more is issued; step() says what is left to do. Nothing in a copy of the process.
  void release() noexcept;

  // In a copy of the process (fork) the lease is the original's: false. begin_anew() then asks for another node id, with a
  // runner and connections of the copy's own.
  bool ours() const;
  void begin_anew();

  std::int64_t renewals() const;       // windows so far; stats() has it, too, and what failed
  std::string namespace_uuid() const;  // "" before the first window

 private:
  friend class Options;
  struct Held;
  std::shared_ptr<Held> held_;
};

// What operators do: its result is there once step() says "done".
class NamespaceTask : public StoreTalk {
 public:
  // Makes the namespace if it is missing; the result is its uuid.
  static NamespaceTask init(const StoreAddress& address, const std::string& layout, const std::string& placeholder,
                            bool fresh);
  // Sets the time before which no window begins, and a new term: no holder of before writes again. lower: an earlier floor than
  // the recorded one is written, too, at least W + 2S from now.
  // Errors: field_out_of_range outside the time span of the layout.
  static NamespaceTask raise_floor(const StoreAddress& address, const std::string& layout,
                                   const std::string& placeholder, std::int64_t unix_ms, bool lower);
  // Who holds node ids now.
  static NamespaceTask leases(const StoreAddress& address, const std::string& layout, const std::string& placeholder);

  // After init(): an operator vouches that a demoted primary is never served again. Errors: option_invalid for other stores
  // than Redis.
  void fence();
  // After raise_floor(): names the copies of Redis that count from then on, separated by commas. The task is done once all of
  // them have it.
  // Errors: option_invalid, also for other stores.
  void name_copies(const std::string& names);

  std::string uuid() const;
  std::size_t count() const;  // of leases
  std::int64_t node(std::size_t i) const;
  std::int64_t until_ms(std::size_t i) const;
  std::string label(std::size_t i) const;

 private:
  struct Work;
  NamespaceTask(std::shared_ptr<State> state, std::shared_ptr<Work> work);
  void check_counts_copies() const;  // Errors: option_invalid for other stores than Redis
  std::shared_ptr<Work> work_;
};

// For tests: one request after another, each carried out by step() until it says "done". See core/src/lease/trial.hpp.
class StoreTrial : public StoreTalk {
 public:
  StoreTrial(const StoreAddress& address, const std::string& placeholder);
  void ask_read(const std::vector<std::int64_t>& nodes);
  // `names` and `values` have equal lengths.
  void ask_cas(const std::vector<std::string>& names, const std::vector<std::string>& values);
  std::string outcome() const;             // of the last cas
  std::vector<std::string> found() const;  // by the last read: "names.uuid=...", "7.until_ms=..."

 private:
  struct Work;
  StoreTrial(const StoreAddress& address, const std::string& placeholder, std::shared_ptr<Work> work);
  std::shared_ptr<Work> work_;
};

}  // namespace polyflake::facade
