// Stores of counters: the record of a counter, and the calls of an adapter to a store.
//
// An adapter carries records and decides nothing. The rules are in the counter machine
// (src/count/machine.hpp); the store itself enforces only those that must be atomic. The stores in
// memory_store.hpp and host_store.hpp are counter stores, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <polyflake/detail/wide.hpp>
#include <polyflake/store.hpp>

namespace polyflake {
namespace count {

using lease::Word;

// The part of a record that is written as a whole: what the counter counts, and how far it may.
struct Head {
  Word nonce;                // fresh for every write of the head
  std::string kind;          // "segment" or "date"; the shape is this and the next three
  std::string period;        // of a date: "yyyyMMdd", "yyyyMM" or "yyyy"
  std::uint64_t digits = 0;  // of a date: of its number within a period
  std::string zone;          // of a date: "+00:00", or a name
  // At the store's time t no number at or above base + growth(t) was given out: the ceiling. Growth
  // is `rate` a second, of a date `rate` a period.
  Wide base = 0;  // never rises
  std::uint64_t rate = 0;
  std::uint64_t burst = 0;
  std::uint64_t top = 0;           // the last number
  std::string failover = "jump";   // "jump", "stop" or "trust": if the store may have lost writes
  std::int64_t topped_up_ms = 0;   // Unix ms by the store's clock
  std::uint64_t period_label = 0;  // of a date: the present period, such as 20230414
  std::int64_t period_start_ms = 0;
};

struct Record {
  Head head;
  std::uint64_t next = 0;     // the first number that was not given out
  std::uint64_t room = 0;     // how many more may be given out before the head is written again
  std::int64_t until_ms = 0;  // Unix ms: the end of the period; 2^53 if there is none
  Word nonce;                 // of the last add; fresh if numbers were given back or `next` was set
  Word term;                  // new if an operator set the counter; older requests are void
  std::string incarnation;    // of the store, as it was when `next` was last known to be whole
  std::string label;          // host and pid of the last writer of the head, for people; untrusted
};

// The conditions of every request: compared before anything is written.
struct Request {
  std::string counter;      // its name
  Word echo;                // of this request alone; the answer repeats it
  Word uuid;                // of the namespace
  Word term;                // of the counter
  std::string incarnation;  // the one that the store must have
};

// Takes [next, next + n). The echo becomes the nonce.
struct Add : Request {
  std::int64_t until_ms = 0;  // the record's; refused at or after it by the store's clock
  std::uint64_t n = 0;        // refused if it is more than the room
};

// Writes the head, `until_ms`, `term`, `incarnation` and `label` of the record.
struct WriteHead : Request {
  std::optional<Word> head_nonce;  // of the head as read; none: the counter must not exist yet
  Record record;                   // the new one
  // True: also writes `next`, `room` and `nonce` of the record. Otherwise numbers may be taken
  // meanwhile, and the room changes by a difference.
  bool sets_next = false;
  std::int64_t room_change = 0;
};

// Gives the last n numbers back, and writes the echo as the nonce, so that no second copy of this
// request does it again. Refused if the nonce of the record is not that of one's own last add.
struct Back : Request {
  Word nonce;
  std::uint64_t n = 0;
  // If n is more than that add took: `next` and the nonce of the head must be these, and the head
  // gets the echo. Else late copies of that add and of this request could free others' numbers.
  struct Whole {
    Word head_nonce;
    std::uint64_t end;
  };
  std::optional<Whole> whole = std::nullopt;
};

enum class Outcome {
  ok,
  absent,           // the namespace has no such counter
  conflict,         // a nonce differs; or nothing was written, and the same request may be repeated
  term,             // the counter has another term
  incarnation,      // the store, or the record, has another incarnation than the request
  until,            // the period is over, or the record has another one
  room,             // fewer numbers than asked for may be given out
  wrong_namespace,  // the namespace has another uuid, or is gone
  unknown,          // it may have happened or not, or may still happen
};

struct Answer {
  Outcome outcome = Outcome::unknown;
  Word echo;
  std::uint64_t first = 0;  // of an add: the first number of its range
  std::uint64_t room = 0;   // of an add: what is left
  std::optional<std::int64_t> store_ms = std::nullopt;
  std::optional<std::int64_t> revision = std::nullopt;  // as in Contents
};

struct Contents {
  std::optional<lease::NamespaceRecord> space;
  std::optional<Record> record;
  std::string incarnation;  // of the store, now
  // The store's clock, if it compares each add with that.
  std::optional<std::int64_t> store_ms = std::nullopt;
  bool may_fail_over = true;  // false: the store never loses what it acknowledged
  bool put_back = false;      // the record was restored or edited by hand
  // The store's count of its writes, if it has one; why it cannot keep counters, "" if it can.
  std::optional<std::int64_t> revision = std::nullopt;
  std::string misconfigured;
};

// The names of the counters, in any order; nothing if the namespace does not exist.
using Names = std::optional<std::vector<std::string>>;

// The state of a store beside the counter's record, at the moment of a step.
struct Present {
  const std::optional<lease::NamespaceRecord>& space;
  const std::string& incarnation;
  std::optional<std::int64_t> store_ms;
};

// One step over a record: all of it happens, or nothing. These are the rules of a store in C++;
// every other store says the same in its own language.
Answer step(std::optional<Record>& record, const Add& request, const Present& present);
Answer step(std::optional<Record>& record, const WriteHead& request, const Present& present);
Answer step(std::optional<Record>& record, const Back& request, const Present& present);

}  // namespace count

// Blocks and thread safety: as Store. None of the calls may retry by itself.
class CounterStore {
 public:
  virtual ~CounterStore() = default;
  // Errors: any exception means that the store was not reached; of a write, Outcome::unknown.
  virtual count::Contents read_counter(const std::string& name) = 0;
  virtual count::Names counter_names() = 0;
  virtual count::Answer add(const count::Add& request) = 0;
  virtual count::Answer write_head(const count::WriteHead& request) = 0;
  virtual count::Answer back(const count::Back& request) = 0;
  virtual void forked() {}  // as Store::forked()
};

}  // namespace polyflake
