// Stores of C++ over a client that carries commands. To use a store that Polyflake knows (Redis,
// ZooKeeper, etcd, PostgreSQL, MySQL), derive a Carrier from the client that you have:
//
//   auto store = carried_store("redis", "orders", std::make_shared<RedisCarrier>("redis://host"));
//   init_namespace(*store, "polyflake");              // once, by an operator
//   Generator generator(Options{store});
//
// The library says what is sent and what a reply means, with the rules of docs/leases.md. A carrier
// decides nothing. Those of ours are in redis_carrier.hpp and its like; store_url.hpp reads
// addresses. A store that Polyflake does not know derives from Store itself: store.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/command.hpp>
#include <polyflake/counter_store.hpp>
#include <polyflake/store.hpp>

namespace polyflake {

// The connection to a store. Thread safety: its store makes one call at a time; other users must
// not call it.
class Carrier {
 public:
  virtual ~Carrier() = default;

  // Sends a command, over the previous connection or a new one, and returns the reply to it. Must
  // not repeat the command: a second one could find the write of the first.
  // Blocks: at most timeout_ms, connecting included. A reply that comes later must not be returned.
  // Errors: lease::CommandFailure, or any other exception, means that the store was not reached; of
  // a write, that it is unknown whether it happened. After an error drop() is called.
  virtual lease::Reply carry(const lease::Command& command, std::int64_t timeout_ms) = 0;

  // Closes the connection, so that no late reply is taken for that of another command. The next
  // carry() opens a new one. Also called after a reply that does not answer the command. If it
  // throws, it is called again before the next command.
  virtual void drop() = 0;

  // Takes the statements that must run first on each new connection. Called once, before the first
  // command, if the kind of store has any: MySQL. Errors: by default option_invalid.
  virtual void set_up(const std::vector<std::string>& statements);

  // Called in a copy of the process (fork), before its first command. The connection belongs to the
  // original: do not use or close it, also in the destructor, and open another one. Another thread
  // of the original may have been in a call when the copy was made. Errors: any exception means
  // that the store cannot be reached from the copy; by default every call there raises one.
  virtual void forked();
};

// A store of leases and of counters over a carrier. It passes exceptions of drop() and forked() on.
// Blocks: each call, while another thread is in one; and for each of its commands, if the carrier
// keeps its limits, at most a second and at most a third of the window of the namespace; within
// init_namespace() and other functions for operators five seconds.
// Errors: store_unavailable if the carrier or the store failed: a write may have happened or not.
// Thread safety: any thread. Calls follow one another, so give each generator a store and a carrier
// of its own.
class CarriedStore : public Store, public CounterStore {
 public:
  void forked() override = 0;
};

// Returns the store of a namespace. It connects at its first call, and makes tables and folders
// when a namespace or counter is made. It keeps a little memory for each name of a counter that it
// is asked for.
// kind: that of a store_url.hpp, but "memory". name: of the namespace. carrier: used by this store
// alone. schema: of the tables of a database, "" for the default. Statements of SQL have the
// placeholder `?`. Errors: option_invalid.
std::shared_ptr<CarriedStore> carried_store(const std::string& kind, const std::string& name,
                                            std::shared_ptr<Carrier> carrier, const std::string& schema = "");

}  // namespace polyflake
