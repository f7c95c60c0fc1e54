// The counter machine: how one process takes ranges of numbers from a counter in a store, and gives
// back what is left.
//
// Sans-I/O, as the lease machine: the caller asks for the next action, reports its result, and
// passes in the time. Readings of the clock that come with a reply are taken after that reply. No
// clock of this process decides what is unique: numbers are, because the store moves `next` in one
// step, and because a range counts only after the store's own answer to that request.
#pragma once

#include <polyflake/counter_store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "count/counter_options.hpp"
#include "count/period.hpp"
#include "lease/machine.hpp"
#include "lease/random.hpp"
#include "lease/zone_time.hpp"

namespace polyflake::count {

using lease::Failure;
using lease::Random;
using lease::Time;

struct Settings {
  std::string counter;             // its name
  Shape shape;                     // required of the counter
  PeriodOf period_of;              // of a date: by the library that knows the zone
  std::optional<Word> uuid;        // required of the namespace, if given
  std::int64_t timeout_ms = 2000;  // a longer wait for the store's clock is a failure
  std::string label;
};

// [first, end) of a counter.
struct Numbers {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t period_label = 0;  // of a date
  // Mono ms: the period of a date is over by then, and what is left is dropped.
  std::int64_t drop_at_ms = INT64_MAX;
};

// The runner's next action.
struct Action {
  enum class Kind {
    read,     // read the counter, deliver() the result
    add,      // try `add` once, deliver() the result
    head,     // try `head` once, deliver() the result
    back,     // try `back` once, deliver() the result
    sleep,    // poll() again at mono_ms, or after the next take() or close()
    granted,  // `numbers` belong to this process
    jumped,   // for people: the store may have lost writes, so `numbers` are left out
    offset,   // look up the offset from UTC at `time`: of zone_periods.hpp, never of a machine
    done,     // closed
  } kind = Kind::sleep;
  std::uint64_t number = 0;  // of a request, for deliver()
  Add add{};
  WriteHead head{};
  Back back{};
  std::int64_t mono_ms = 0;
  Numbers numbers{};
  lease::ZoneTime time{};
};

class Machine {
 public:
  Machine(Settings settings, Random& random);

  // Returns the next action; sleep while an answer is awaited.
  Action poll(Time now);

  // Takes the result of an action. now: read after the reply. Ignores an answer to any action but
  // the last.
  void deliver(std::uint64_t number, const Contents& contents, Time now);
  void deliver(std::uint64_t number, const Answer& answer, Time now);
  // Takes the fact that the store was not reached; of a write: Outcome::unknown. reason: for
  // people.
  void deliver_nothing(std::uint64_t number, const std::string& reason, Time now);

  // Asks for one range of about `step` numbers, at least `waiting` if there are that many. A later
  // call replaces an earlier one that was not granted yet.
  void take(std::uint64_t step, std::uint64_t waiting);

  // Reduces what was asked for to what callers still wait for.
  void still_waiting(std::uint64_t waiting);

  // Takes no range, and looks at the counter each second until it may be used again: for a caller
  // that was refused.
  void look();

  // Requires: the caller has frozen what it holds. Gives back what is left from first_unused on, or
  // of the last range alone if the store refuses that. Then gives `done`.
  void close(std::uint64_t first_unused);

  // Returns true if the next actions are `granted` or `jumped`.
  bool has_events() const { return !events_.empty(); }
  // Returns why no range comes, as long as none comes.
  const std::optional<Failure>& failure() const { return failure_; }
  // Returns the counter as last read; its numbers may be out of date.
  const std::optional<Record>& record() const { return record_; }
  // Returns the uuid of the namespace, once the counter was read.
  const Word& uuid() const { return uuid_; }
  std::uint64_t failures() const { return failures_; }  // answers that did not arrive

 private:
  enum class Stage {
    look,   // read the counter
    write,  // its head
    ready,  // take ranges
  };

  struct Wish {
    std::uint64_t step;
    std::uint64_t waiting;
  };

  // A pause is at random 0 to 2^i - 1 ms after i failed rounds, with these for the greatest i.
  static constexpr unsigned kDoublingsAtConflict = 6;
  static constexpr unsigned kDoublingsAway = 9;  // of a store that does not answer

  // The shortest time between two top-ups of a room that limits what is taken.
  static constexpr std::int64_t kScarceTopUpMs = 1000;

  // An add of this process.
  struct Added {
    Word nonce;
    Numbers numbers;
  };

  Action next_request(Time now);
  bool must_look(Time now) const;
  bool is_scarce() const;
  Action send(Action action, Time now);
  Action read(Time now);
  Action add(Time now);
  Action write_head(Time now);
  Action give_back(Time now);
  void set_conditions(Request& request);
  std::uint64_t returnable() const;
  Answer expected_answer() const;

  bool accept(const Contents& contents, Time now);
  bool is_other_term(const Contents& contents);
  void judge(const Contents& contents, Time now);
  void judge_period(const Contents& contents, bool other, Time now);
  void judge_incarnation(const Contents& contents, Time now);
  void judge_room(const Contents& contents, Time now);
  void plan(Record record, bool sets_next, const Contents& contents, Time now);
  void answered_add(const Answer& answer, Outcome outcome, Time now);
  void answered_head(Outcome outcome, Time now);
  void answered_back(const Answer& answer);
  void get_ready(Time now, std::int64_t look_in_ms);
  void refused_write(Outcome outcome, Time now);
  void grant(const Answer& answer, Time now);

  void refuse(ErrorCode code, std::string message, Time now);
  void refuse_went_back(const std::string& reason, Time now);
  bool refuses_fall(std::optional<std::int64_t> revision, Time now);
  void wait(std::int64_t ms, const std::string& reason, Time now);
  void pause(Time now, unsigned most_doublings);
  void look_again(Time now, std::int64_t in_ms);
  std::int64_t skew_ms(std::int64_t store_ms, Time now) const;

  const Settings settings_;
  Random& random_;

  Stage stage_ = Stage::look;
  std::vector<Action> events_;  // to be reported before any other action
  std::uint64_t number_ = 0;    // of the last request
  bool awaiting_ = false;
  Time sent_{};
  Action request_;                       // the last one
  std::int64_t not_before_ = INT64_MIN;  // mono: the end of a pause
  std::int64_t look_at_ = INT64_MIN;     // mono: when the head is due for another look
  std::int64_t looked_ms_ = 0;           // mono: when the room was last compared with the ceiling
  unsigned rounds_ = 0;                  // failed rounds in a row

  Word uuid_;
  std::string incarnation_;  // of the store, as last seen
  std::int64_t tolerance_ms_ = 0;
  std::optional<std::int64_t> revision_;  // of the store, the highest seen
  std::optional<Record> record_;
  WriteHead planned_;

  std::optional<Wish> wish_;
  bool watches_ = false;                  // looks again without a wish
  std::optional<Added> last_, before_;    // `before_` ends where `last_` begins
  std::optional<Numbers> kept_;           // the last that was granted
  bool went_back_ = false;                // true until the counter has another term
  std::optional<std::uint64_t> closing_;  // the first unused number
  bool done_ = false;

  static constexpr std::int64_t kRefusedMs = 1000;  // between looks, while a counter is refused
  std::optional<Failure> failure_;
  std::uint64_t failures_ = 0;
};

}  // namespace polyflake::count
