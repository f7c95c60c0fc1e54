// The lease machine: how one holder gets a node id from a store, keeps it, replaces it and gives it back.
//
// Sans-I/O: it is asked what to do next and told what came of it, and of the time only what it is told. It has no thread, clock
// or socket, so one simulator drives it through every schedule. Readings of the clock are taken after the reply that they are
// given with. Rules and their numbers: lease/rules.hpp.
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
  std::uint64_t capacity = 0;  // how many node ids the layout has
  std::optional<Word> uuid;    // which the namespace must have
  bool makes_namespace = false;
  std::int64_t window_ms = 10'000;
  std::int64_t tolerance_ms = 500;
  std::int64_t acquire_timeout_ms = 30'000;
  std::string label;
};

// Unix ms, and ms of a clock that nobody sets.
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

// What the runner is to do.
struct Action {
  enum class Kind {
    read,     // read `read`, deliver() what came
    cas,      // try `cas` once, deliver() what came
    sleep,    // poll() again at mono_ms, at the latest
    granted,  // issue from `window`, above whatever was issued before
    raised,   // the current window ends at window.until_ms now
    lost,     // the current window grows no more: issue to its end, a successor is being looked for
    frozen,   // the current window is void: issue nothing more from it, a successor is being looked for
    failed,   // there will be no window: `failure`
    done,     // given back, or there was nothing to give back
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

  // What is to be done next; while an answer is awaited, sleep.
  Action poll(Time now);

  // What came of an action. `now` is a reading of after the reply. An answer to another action than the last is ignored.
  void deliver(std::uint64_t number, const Contents& contents, Time now);
  void deliver(std::uint64_t number, Answer answer, Time now);
  // The store could not be read; of a cas: Outcome::unknown. `reason` is for people.
  void deliver_nothing(std::uint64_t number, const std::string& reason, Time now);

  // The holder was stopped for good and stamped nothing at or after stamped_until_ms: lowers the mark to that, tried once.
  // Then `done`.
  void release(std::int64_t stamped_until_ms);

  // Renews at the next poll(), however much is left of the window; where that gains nothing, has it confirmed.
  void hurry() { hurried_ = true; }

  // What keeps it from a longer window, as long as it does; lease_lost where nothing else does than that the lease is another's.
  const std::optional<Failure>& trouble() const { return trouble_; }
  // As last read.
  const std::optional<NamespaceRecord>& names() const { return names_; }
  std::uint64_t renewals() const { return renewals_; }
  std::uint64_t failures() const { return failures_; }  // answers that did not come

 private:
  enum class Stage {
    names,       // read the namespace
    make,        // write one
    confirm,     // write it as it is: once that is confirmed, so is what was written before
    settle,      // write incarnation and floor
    sample,      // read some node records
    candidates,  // take one of those, the best first
    step_over,   // raise `used`: there was a record
    holding,     // nothing, or renew
    renewal,     // an answer is awaited
    recheck,     // read the own record: a renewal's answer did not come, or named another store
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
    std::optional<Word> nonce;  // of its record; none: there is no record
    std::int64_t until_ms = 0;  // of its record
  };

  Action send(Action action, Time now);
  Action read(std::vector<std::uint64_t> nodes, Time now);
  Action cas(Cas request, Time now);
  Action hold(Time now);

  Cas request();
  Cas write_names(NamespaceRecord names);
  Cas make();
  Cas settle(Time now);
  Cas step_over();
  Cas take(const Candidate& candidate, Time now);
  Cas write_own(std::int64_t until_ms);
  std::vector<std::uint64_t> sample(Time now);

  bool accept(const Contents& contents, Time now);
  void look_at_names();
  void look_at_sample(const Contents& contents, Time now);
  void look_at_own(const Contents& contents, Time now);
  void answered_names(Outcome outcome, Time now);
  void answered_candidate(Outcome outcome, Time now);
  void answered_renewal(Outcome outcome, Time now);

  void grant();
  void raise(std::int64_t until_ms);
  void lose(const std::string& reason);
  void refuse(ErrorCode code, std::string message, Time now);
  bool refuses_skew(const Contents& contents, Time now);
  bool refuses_fall(std::optional<std::int64_t> revision, bool moved_on, Time now);
  void begin_again(Time now);
  void pause(Time now);

  bool has_begun(std::int64_t wall_ms) const;
  // Of the namespace, once it is known.
  std::int64_t window_ms() const { return names_ ? names_->window_ms : settings_.window_ms; }
  std::int64_t quarantine_ms() const { return names_->window_ms + 2 * names_->tolerance_ms; }
  // The reading of the clock that a reply is judged by.
  std::int64_t wall_ms(Time now) const;

  const Settings settings_;
  Random& random_;

  Stage stage_ = Stage::names;
  std::vector<Action> events_;  // to be told before anything else is done
  std::uint64_t number_ = 0;    // of the last read or cas
  bool awaiting_ = false;
  Time sent_{};
  Cas sent_cas_;
  std::int64_t not_before_ = 0;           // mono: a pause
  unsigned rounds_ = 0;                   // that came to nothing, in a row
  std::optional<std::int64_t> deadline_;  // mono, for the first window

  std::optional<NamespaceRecord> names_;
  std::string incarnation_;               // of the store, as last seen
  std::optional<std::int64_t> revision_;  // of the store, the highest seen
  bool fallen_ = false;                   // it has shown a lower one since
  std::vector<std::uint64_t> sampled_;
  std::uint64_t next_ = 0;       // to be looked at, where every node id was used before
  std::uint64_t looked_at_ = 0;  // in a row
  std::vector<Candidate> candidates_;
  Window taking_;

  std::optional<Held> held_;
  bool renewable_ = false;
  bool revalidating_ = false;
  bool hurried_ = false;
  std::int64_t jitter_ms_ = 0;
  std::optional<std::int64_t> releasing_;  // the mark that release() asked for

  std::optional<Failure> trouble_;
  std::uint64_t renewals_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace polyflake::lease
