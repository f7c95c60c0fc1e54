// The lease machine: how one holder gets a node id from a store, keeps it, replaces it and gives it
// back.
//
// Sans-I/O: the caller asks for the next action, reports its result, and passes in the time. The
// machine has no thread, clock or socket, so one simulator drives it through every schedule.
// Readings of the clock that come with a reply are taken after that reply. Rules and their numbers:
// lease/rules.hpp.
#pragma once

#include <polyflake/error.hpp>
#include <polyflake/store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lease/random.hpp"

namespace polyflake::lease {

struct Settings {
  std::uint64_t layout = 0;    // Layout::fingerprint()
  std::uint64_t capacity = 0;  // the number of node ids of the layout
  std::optional<Word> uuid;    // required of the namespace, if given
  bool makes_namespace = false;
  std::int64_t window_ms = 10'000;
  std::int64_t tolerance_ms = 500;
  std::int64_t acquire_timeout_ms = 30'000;
  std::string label;
};

// Unix ms, and ms of a monotonic clock.
struct Time {
  std::int64_t wall_ms;
  std::int64_t mono_ms;
};

// Node id `node` may be stamped in [start_ms, until_ms).
struct Window {
  std::uint64_t node = 0;
  std::int64_t start_ms = 0;
  std::int64_t until_ms = 0;
};

// The runner's next action.
struct Action {
  enum class Kind {
    read,     // read `read`, deliver() the result
    cas,      // try `cas` once, deliver() the result
    sleep,    // poll() again at mono_ms, at the latest
    granted,  // issue from `window`, above everything issued before
    raised,   // the current window ends at window.until_ms now
    // The current window grows no more: issue to its end. A successor is being looked for.
    lost,
    // The current window is void: issue nothing more from it. A successor is being looked for.
    frozen,
    failed,  // there will be no window: `failure`
    done,    // given back, or there was nothing to give back
  } kind = Kind::sleep;
  std::uint64_t number = 0;  // of a read or cas, for deliver()
  Read read{};
  Cas cas{};
  std::int64_t mono_ms = 0;
  Window window{};
};

struct Failure {
  ErrorCode code;
  std::string message;
};

class Machine {
 public:
  // Requires: window_ms of at least three ticks, tolerance_ms below window_ms, capacity > 0.
  Machine(Settings settings, Random& random);

  // Returns the next action; sleep while an answer is awaited.
  Action poll(Time now);

  // Takes the result of an action. now: read after the reply. Ignores an answer to any action but
  // the last.
  void deliver(std::uint64_t number, const Contents& contents, Time now);
  void deliver(std::uint64_t number, Answer answer, Time now);
  // Takes the fact that the store could not be read; of a cas: Outcome::unknown. reason: for
  // people.
  void deliver_nothing(std::uint64_t number, const std::string& reason, Time now);

  // Requires: the holder has stopped and stamped nothing at or after stamped_until_ms. Lowers the
  // mark to that time, in one try, then gives `done`.
  void release(std::int64_t stamped_until_ms);

  // Renews at the next `poll()` regardless of the time left. If the window cannot grow, confirms it
  // again.
  void hurry() { hurried_ = true; }

  // Returns why the window does not grow, as long as it does not; lease_lost if the only reason is
  // that another holder has the lease.
  const std::optional<Failure>& failure() const { return failure_; }
  // Returns the namespace as last read.
  const std::optional<NamespaceRecord>& space() const { return space_; }
  std::uint64_t renewals() const { return renewals_; }
  std::uint64_t failures() const { return failures_; }  // answers that did not arrive

 private:
  enum class Stage {
    space,       // read the namespace
    make,        // write one
    confirm,     // write it unchanged: confirms earlier writes, too
    settle,      // write incarnation and floor
    sample,      // read some node records
    candidates,  // try one of those, the best first
    step_over,   // raise `used`: there was a record
    held,        // nothing, or renew
    renewal,     // an answer is awaited
    // Read the own record: a renewal's answer did not arrive, or named another store.
    recheck,
    give_back,
    done,
    failed,
  };

  struct Held {
    Window window;
    Word nonce;
    Word owner;
  };

  // A node id that may be taken.
  struct Candidate {
    std::uint64_t node = 0;
    std::optional<Word> nonce;  // of its record; nothing: there is no record
    std::int64_t until_ms = 0;  // of its record
  };

  Action next_request(Time now);
  Action send(Action action, Time now);
  Action read(std::vector<std::uint64_t> nodes, Time now);
  Action cas(Cas request, Time now);
  Action hold(Time now);

  Cas request();
  Cas write_space(NamespaceRecord space);
  Cas make();
  Cas settle(Time now);
  Cas step_over();
  Cas take(const Candidate& candidate, Time now);
  Cas write_own(std::int64_t until_ms);
  std::vector<std::uint64_t> sample(Time now);

  bool accept(const Contents& contents, Time now);
  void look_at_space();
  void look_at_sample(const Contents& contents, Time now);
  void look_at_own(const Contents& contents, Time now);
  bool may_revalidate(const Contents& contents, Time now) const;
  void wait_for_free_node(std::int64_t soonest_ms, Time now);
  void answered_space(Outcome outcome, Time now);
  void answered_candidate(Outcome outcome, Time now);
  void answered_renewal(Outcome outcome, Time now);

  void grant();
  void raise(std::int64_t until_ms);
  void lose(const std::string& reason);
  void refuse(ErrorCode code, std::string message, Time now);
  bool refuses_skew(const Contents& contents, Time now);
  bool is_kept_apart(const Contents& contents) const;
  bool refuses_fall(std::optional<std::int64_t> revision, bool kept_apart, Time now);
  void begin_again(Time now);
  void pause(Time now);

  bool has_begun(std::int64_t wall_ms) const;
  // That of the namespace, once known.
  std::int64_t window_ms() const { return space_ ? space_->window_ms : settings_.window_ms; }
  std::int64_t quarantine_ms() const { return space_->window_ms + 2 * space_->tolerance_ms; }
  // Returns the reading of the clock that a reply is judged by.
  std::int64_t wall_ms(Time now) const;

  const Settings settings_;
  Random& random_;

  Stage stage_ = Stage::space;
  std::vector<Action> events_;  // to be reported before any other action
  std::uint64_t number_ = 0;    // of the last read or cas
  bool awaiting_ = false;
  Time sent_{};
  Cas sent_cas_;
  std::int64_t not_before_ = 0;           // mono: the end of a pause
  unsigned rounds_ = 0;                   // failed rounds in a row
  std::optional<std::int64_t> deadline_;  // mono, for the first window

  std::optional<NamespaceRecord> space_;
  std::string incarnation_;               // of the store, as last seen
  std::optional<std::int64_t> revision_;  // of the store, the highest seen
  bool fallen_ = false;                   // it has shown a lower one since
  std::vector<std::uint64_t> sampled_;
  // The next node to look at, once every node id was used before.
  std::uint64_t next_ = 0;
  std::uint64_t looked_at_ = 0;  // in a row
  std::vector<Candidate> candidates_;
  Window taking_;

  std::optional<Held> held_;
  bool renewable_ = false;
  bool revalidating_ = false;
  bool hurried_ = false;
  std::int64_t jitter_ms_ = 0;
  std::optional<std::int64_t> releasing_;  // the mark that release() asked for

  std::optional<Failure> failure_;
  std::uint64_t renewals_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace polyflake::lease
