// Stores: where hosts share node ids. What is kept there, and the two calls that an adapter offers.
//
// A store grants disjoint rectangles: a node id and a window of time. An adapter carries records there and back and decides
// nothing; the rules are those of the lease machine (src/lease/machine.hpp) and, for what must be one step, of the store.
// To write an adapter: derive from Store, or give lease::Texts to a client of Redis or SQL. docs/leases.md says what is promised.
// Two that are here: memory_store.hpp, host_store.hpp.
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

// 128 random bits: as a name that nobody else has. All zero: none.
struct Word {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Word& a, const Word& b) { return a.high == b.high && a.low == b.low; }
  friend bool operator!=(const Word& a, const Word& b) { return !(a == b); }
};

// What the hosts of one namespace agree on. All times are Unix ms.
struct NamespaceRecord {
  Word uuid;                      // of this namespace, for good
  Word nonce;                     // fresh for every write
  Word term;                      // fresh whenever an operator moved the floor; requests of another term are void
  std::uint64_t layout = 0;       // Layout::fingerprint() of all ids
  std::int64_t window_ms = 0;     // how far ahead of the clock node ids are granted
  std::int64_t tolerance_ms = 0;  // by how much clocks may differ
  bool settled = false;           // the floor was reckoned; if not, a holder reckons it before it takes a node id
  std::string incarnation;        // the store's, when the floor was reckoned; any text, compared only if `settled`
  std::int64_t floor_ms = 0;      // no window begins before it
  std::uint64_t used = 0;         // node ids below it were handed out at some time
};

// Who holds a node id, and until when.
struct NodeRecord {
  Word nonce;                 // fresh for every write
  Word owner;                 // of one holding
  std::uint64_t layout = 0;   // as in the namespace
  std::int64_t until_ms = 0;  // nothing was or will be stamped at or after it
  std::string label;          // host and pid, for people; untrusted
};

// Asks for the namespace and these nodes, as they are at one moment.
struct Read {
  static constexpr std::size_t kMostNodes = 100;  // below the 128 parts that a transaction of etcd may have
  std::vector<std::uint64_t> nodes;
};

struct Contents {
  std::optional<NamespaceRecord> names;
  std::vector<std::optional<NodeRecord>> nodes;  // in the order asked for
  // Names the store: it changes if acknowledged writes may have been lost. A store that cannot tell gives one text for ever, which
  // may be empty.
  std::string incarnation;
  std::optional<std::int64_t> store_ms;  // its clock, where it has one and refuses by it; see Outcome
  std::int64_t store_span_ms = 0;        // store_ms may be so much later: a clock that shows whole seconds
  // The store's count of its writes, if it has one. A count below one seen before shows that the store was put back.
  std::optional<std::int64_t> revision = std::nullopt;
};

// One step over the namespace and at most one node: all of it happens, or nothing.
struct Cas {
  Word echo;  // of this request alone; the answer repeats it

  // Conditions on the namespace. With `makes_namespace` there is to be none, and these four are not asked.
  bool makes_namespace = false;
  Word uuid;
  Word term;
  std::uint64_t layout = 0;
  std::optional<Word> names_nonce;  // where the namespace is written, too

  std::string incarnation;  // which the store is to be

  std::optional<NamespaceRecord> names;  // the new one

  // Where the namespace is written, too, it is one to be created.
  std::optional<std::uint64_t> node;  // none: the namespace alone is written
  std::optional<Word> node_nonce;     // of its record as read; none: there is to be no record
  NodeRecord record;                  // the new one

  // For stores with a clock: how far ahead of it a window or floor may reach that does not reach so far already. An operator's
  // floor is not bounded.
  std::int64_t longest_ms = 0;
  bool bounded = true;

  // For stores whose replicas are promoted, such as Redis: the names of all copies from now on, by an operator. And of a
  // namespace that is made: an operator vouches that a demoted primary is never served again.
  std::vector<std::string> copies;
  bool fenced = false;
};

enum class Outcome {
  ok,
  conflict,         // a nonce or the term is another one, or a record is there, or missing
  incarnation,      // the store is another one than the request says
  too_far,          // by the store's clock the window or floor reaches too far ahead
  busy,             // by the store's clock another owner's window lasts
  layout,           // the namespace has another layout
  wrong_namespace,  // the namespace has another uuid, or is gone
  unknown,          // it may have happened or not, or happen yet
};

struct Answer {
  Outcome outcome = Outcome::unknown;
  Word echo;
  std::optional<std::int64_t> store_ms;
  std::optional<std::int64_t> revision = std::nullopt;  // as in Contents; none if the namespace has another term by now
};

// What a store keeps of one namespace, and what it answers. The rules of a store in C++; every other store says the same in
// its own words. Plain data, no lock.
struct Tables {
  std::optional<NamespaceRecord> names;
  std::map<std::uint64_t, NodeRecord> nodes;

  // store_ms: none where the store has no clock, and refuses nothing by it.
  Contents read(const Read& read, const std::string& incarnation, std::optional<std::int64_t> store_ms) const;
  Outcome step(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms);

 private:
  Outcome judge(const Cas& request, const std::string& incarnation, std::optional<std::int64_t> store_ms) const;
};

}  // namespace lease

// Thread safety: each generator calls it from a thread of its own, and so may operators: where several share a store, at the same
// time. Both calls block for as long as the adapter waits for its store.
class Store {
 public:
  virtual ~Store() = default;
  // Errors: whatever it throws means that the store cannot be reached.
  virtual lease::Contents read(const lease::Read& read) = 0;
  // Never tried again by itself: a second try could find what the first one wrote. Whatever it throws is Outcome::unknown.
  virtual lease::Answer cas(const lease::Cas& request) = 0;
  // In a copy of the process (fork), by each generator there before its first call: what was open belongs to the original. Uses
  // and closes nothing of it. Another generator may have called already, so what was opened in the copy stays.
  // Where it throws, a call for an id says store_unavailable, and the next one begins with it again.
  virtual void forked() {}
};

}  // namespace polyflake
