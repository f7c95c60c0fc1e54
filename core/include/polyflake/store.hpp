// Stores record which host holds which node id. Here: the records and the two calls of an adapter.
//
// A store grants disjoint rectangles: a node id and a window of time. An adapter carries records
// and decides nothing. The rules are in the lease machine (src/lease/machine.hpp); the store itself
// enforces only those that must be atomic. Redis, ZooKeeper, etcd, PostgreSQL and MySQL need only a
// carrier of commands: carrier.hpp. For another store, derive from Store, as memory_store.hpp and
// host_store.hpp do. Counters: counter_store.hpp. The promises: docs/leases.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polyflake {
namespace lease {

// 128 random bits, used as a unique name. All zero: none.
struct Word {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Word& a, const Word& b) { return a.high == b.high && a.low == b.low; }
  friend bool operator!=(const Word& a, const Word& b) { return !(a == b); }
};

// The values that the hosts of one namespace agree on. All times are Unix ms.
struct NamespaceRecord {
  Word uuid;                      // of this namespace, never changed
  Word nonce;                     // fresh for every write
  Word term;                      // new if the floor is moved; requests of another term are void
  std::uint64_t layout = 0;       // Layout::fingerprint() of all ids
  std::int64_t window_ms = 0;     // how far ahead of the clock node ids are granted
  std::int64_t tolerance_ms = 0;  // the largest difference between clocks
  bool settled = false;           // false: a holder computes the floor before it takes a node id
  // That of the store when the floor was computed: any text. Compared only if `settled`.
  std::string incarnation;
  std::int64_t floor_ms = 0;  // no window begins before it
  std::uint64_t used = 0;     // node ids below it were handed out at some time
};

// The holder of a node id, and the end of its window.
struct NodeRecord {
  Word nonce;                 // fresh for every write
  Word owner;                 // names one holding
  std::uint64_t layout = 0;   // as in the namespace
  std::int64_t until_ms = 0;  // nothing was or will be stamped at or after it
  std::string label;          // host and pid, for people; untrusted
};

// Asks for the namespace and these nodes, as they are at one moment.
struct Read {
  static constexpr std::size_t kMostNodes = 100;  // a transaction of etcd has 128 parts at most
  std::vector<std::uint64_t> nodes;
};

struct Contents {
  std::optional<NamespaceRecord> space;
  std::vector<std::optional<NodeRecord>> nodes;  // in the order asked for
  // Names the store; changes if acknowledged writes may have been lost. A store that cannot tell
  // always gives the same text, which may be empty.
  std::string incarnation;
  std::optional<std::int64_t> store_ms;  // the store's clock, if it checks windows; see Outcome
  std::int64_t store_span_ms = 0;        // how much later it may be, if the clock shows seconds
  // The store's count of its writes, if it has one. A fall shows that an older copy was restored.
  std::optional<std::int64_t> revision = std::nullopt;
};

// One step over the namespace and at most one node: all of it happens, or nothing.
struct Cas {
  Word echo;  // of this request alone; the answer repeats it
  // Conditions on the namespace. With `makes_namespace`, no namespace may exist yet, and the next
  // four members are ignored.
  bool makes_namespace = false;
  Word uuid;
  Word term;
  std::uint64_t layout = 0;
  std::optional<Word> space_nonce;       // if the namespace is written, too
  std::string incarnation;               // the one that the store must have
  std::optional<NamespaceRecord> space;  // the new one

  // If the namespace is written, too, this step creates the node's record.
  std::optional<std::uint64_t> node;  // none: only the namespace is written
  std::optional<Word> node_nonce;     // of its record as it was read; none: it must have no record
  NodeRecord record;                  // the new one
  // For stores with a clock: how far ahead of it a new window or floor may reach. One that already
  // reaches further may stay. bounded: false lifts this limit, for an operator's floor.
  std::int64_t longest_ms = 0;
  bool bounded = true;
  // For stores whose replicas are promoted, such as Redis: an operator's names of all its copies.
  std::vector<std::string> copies;
  // When a namespace is made: the operator vouches that a demoted primary is never served again.
  bool fenced = false;
};

enum class Outcome {
  ok,
  conflict,         // a nonce or the term differs, or a record exists or is missing
  incarnation,      // the store's incarnation is not that of the request
  too_far,          // by the store's clock the window or floor reaches too far ahead
  busy,             // by the store's clock the window of another owner has not ended
  layout,           // the namespace has another layout
  wrong_namespace,  // the namespace has another uuid, or is gone
  unknown,          // it may have happened or not, or may still happen
};

struct Answer {
  Outcome outcome = Outcome::unknown;
  Word echo;
  std::optional<std::int64_t> store_ms;
  std::optional<std::int64_t> revision = std::nullopt;  // as in Contents; none after a new term
};

// The data of one namespace in a store, and the store's answers. These are the rules of a store in
// C++; every other store says the same in its own language. Plain data, no lock.
struct Tables {
  std::optional<NamespaceRecord> space;
  std::map<std::uint64_t, NodeRecord> nodes;

  // store_ms: none if the store has no clock and so does not check against it.
  Contents read(const Read& read, const std::string& incarnation, std::optional<std::int64_t> store_ms) const;
  Outcome step(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms);

 private:
  Outcome judge(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms) const;
};

}  // namespace lease

// Blocks: each call, as long as the adapter waits for its store. Thread safety: each generator
// calls it from its own thread, and so may operators; generators that share a store call it at the
// same time.
class Store {
 public:
  virtual ~Store() = default;
  // Errors: any exception means that the store cannot be reached.
  virtual lease::Contents read(const lease::Read& read) = 0;
  // Must not retry: a second try could find the write of the first one. Any exception means
  // Outcome::unknown.
  virtual lease::Answer cas(const lease::Cas& request) = 0;
  // Each generator in a copy of the process (fork) calls this before its first call. Open
  // connections belong to the original: do not use or close them. Another generator may have called
  // this here already, so keep connections that were opened in the copy. If it throws, a call for
  // an id gives store_unavailable, and the next call starts with it again.
  virtual void forked() {}
};

}  // namespace polyflake
