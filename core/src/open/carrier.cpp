#include <polyflake/carrier.hpp>

#include <polyflake/detail/execution.hpp>
#include <polyflake/error.hpp>
#include <polyflake/store_url.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "count/requests.hpp"
#include "lease/store_kinds.hpp"
#include "lease/store_session.hpp"
#include "lease/store_url.hpp"
#include "open/carried_store.hpp"
#include "open/operators_task.hpp"
#include "os/os.hpp"

namespace polyflake {

void Carrier::set_up(const std::vector<std::string>&) {
  throw Error(ErrorCode::option_invalid, "this carrier cannot prepare its connections, which this kind of store needs");
}

void Carrier::forked() {
  throw Error(ErrorCode::store_unavailable, "this carrier cannot be used in a copy of its process");
}

namespace {

// A carrier as one execution uses it. Requires: one call at a time.
class Line {
 public:
  Line(Carrier& carrier, bool in_copy) : carrier_(carrier), tells_of_fork_(in_copy) {}

  // Requires: nothing was carried in this execution. Errors: those of the carrier; then it must be
  // called again.
  void tell_of_fork() {
    if (tells_of_fork_) carrier_.forked();
    tells_of_fork_ = false;
  }

  // Carries what a session says until its asker was told. Returns false if the asker was told what
  // answers another request. Errors: those of tell_of_fork(); store_unavailable if a copy of the
  // process was made meanwhile, and this is it.
  bool carry_out(lease::StoreSession& session) {
    const platform::Uncancelled uncancelled;
    tell_of_fork();
    bool is_ours = true;
    for (;;) {
      const lease::StoreSession::Step step = session.step();
      if (!step.command) return is_ours;
      const auto reply = carry(session, step.number, *step.command);
      if (Execution::current() != execution_) {
        throw Error(ErrorCode::store_unavailable, "the process was copied while the store was asked");
      }
      if (!reply) continue;
      is_ours = session.deliver(step.number, *reply);
      if (!is_ours) drop();
    }
  }

  // The window of the namespace limits how long a command of a holder may take: a second one fits
  // into it.
  void saw(const std::optional<lease::NamespaceRecord>& space) {
    if (space) limit_ms_ = std::clamp<std::int64_t>(space->window_ms / 3, 1, kLongestMs);
  }

 private:
  static constexpr std::int64_t kLongestMs = 1000;

  // Returns nothing if it failed; then the session was told.
  std::optional<lease::Reply> carry(lease::StoreSession& session, std::uint64_t number, const lease::Command& command) {
    std::string code, reason;
    try {
      if (must_drop_) drop();
      return carrier_.carry(command, OperatorsTask::lasts() ? OperatorsTask::kCommandMs : limit_ms_);
    } catch (const lease::CommandFailure& failure) {
      code = failure.code();
      reason = failure.what();
    } catch (const std::exception& error) {
      reason = error.what();
    } catch (...) {
      reason = "the carrier failed";
    }
    must_drop_ = true;
    session.fail(number, code, reason);
    drop();
    return std::nullopt;
  }

  // A connection whose closing failed must not be used, so it is closed before the next command.
  void drop() {
    must_drop_ = true;
    carrier_.drop();
    must_drop_ = false;
  }

  Carrier& carrier_;
  const std::uint64_t execution_ = Execution::current();
  bool tells_of_fork_;
  bool must_drop_ = false;
  std::int64_t limit_ms_ = kLongestMs;
};

// Asks one thing at a time, and keeps what came of it. Requires: one call at a time.
template <class Asker, class Action, class Contents, class Answer>
class Talk : private Asker {
 public:
  template <class Dialect>
  explicit Talk(std::unique_ptr<Dialect> dialect) : session_(requests_of(*this, std::move(dialect))) {}

  // Errors: store_unavailable; those of Line.
  Contents read(Line& line, Action action) {
    ask(line, std::move(action));
    line.saw(contents_.space);
    return contents_;
  }
  Answer write(Line& line, Action action) {
    ask(line, std::move(action));
    return answer_;
  }

 private:
  void ask(Line& line, Action action) {
    action_ = std::move(action);
    failure_.reset();
    if (!line.carry_out(session_) && !failure_) failure_ = "the reply answers another request";
    if (failure_) throw Error(ErrorCode::store_unavailable, *failure_);
  }

  Action next() override { return std::exchange(action_, std::nullopt).value_or(Action{Action::Kind::done}); }
  void deliver(std::uint64_t, const Contents& contents) override { contents_ = contents; }
  void deliver(std::uint64_t, const Answer& answer) override { answer_ = answer; }
  void deliver_nothing(std::uint64_t, const std::string& reason) override { failure_ = reason; }

  std::optional<Action> action_;
  Contents contents_;
  Answer answer_;
  std::optional<std::string> failure_;
  lease::StoreSession session_;
};

class LeaseTalk final : public Talk<lease::Asker, lease::Action, lease::Contents, lease::Answer> {
  using Talk::Talk;
  bool opens() const override { return true; }  // any read may be that of an opening
};

class CounterTalk final : public Talk<count::Asker, count::Action, count::Contents, count::Answer> {
 public:
  using Talk::Talk;

  // Makes the table if it is missing. Errors: store_misconfigured: no earlier command could tell.
  void make_table(Line& line) {
    struct Making {
      bool& on;
      explicit Making(bool& flag) : on(flag) { on = true; }
      ~Making() { on = false; }
    } const making(makes_counter_);
    const count::Contents seen = read(line, count::Action{count::Action::Kind::read});
    if (!seen.misconfigured.empty()) throw Error(ErrorCode::store_misconfigured, seen.misconfigured);
  }

 private:
  bool makes_counter() const override { return makes_counter_; }

  bool makes_counter_ = false;
};

// The one request for the names of all counters.
class NamesRequest final : public lease::Requests {
 public:
  NamesRequest(std::unique_ptr<count::Dialect> dialect, count::Names& names, std::string& failure)
      : dialect_(std::move(dialect)), names_(names), failure_(failure) {}

  Next next() override { return {std::exchange(asked_, true) ? Next::Kind::done : Next::Kind::read}; }
  lease::Command begin() override { return dialect_->begin_names(); }
  Taken take(const lease::Reply& reply) override {
    auto came = dialect_->names_replied(reply);
    if (auto* const more = std::get_if<lease::Command>(&came)) return {std::move(*more)};
    names_ = std::get<count::Names>(std::move(came));
    return {};
  }
  void fail(const std::string& reason) override { failure_ = reason; }
  void find_nothing() override { names_ = dialect_->names_without_table(); }
  const lease::StoreTraits& store() const override { return *dialect_; }

 private:
  const std::unique_ptr<count::Dialect> dialect_;
  count::Names& names_;
  std::string& failure_;
  bool asked_ = false;
};

// The place of a store, and what leads there.
struct Target {
  std::string kind;
  count::Place place;
  std::shared_ptr<Carrier> carrier;

  std::unique_ptr<lease::Dialect> dialect() const {
    return lease::make_dialect(kind, place.space, place.schema, place.placeholder);
  }
  std::unique_ptr<count::Dialect> dialect_of(const std::string& counter) const {
    count::Place of_counter = place;
    of_counter.counter = counter;
    return count::make_dialect(kind, of_counter);
  }
};

// The talks of one execution, one after the other: they share the connection, and dialects remember
// what they saw. Thread safety: any thread of that execution.
class Talks {
 public:
  Talks(const Target& target, bool in_copy)
      : target_(target), line_(*target.carrier, in_copy), leases_(target.dialect()) {}

  bool of_this_execution() const { return execution_ == Execution::current(); }

  void tell_of_fork() {
    const std::lock_guard<std::mutex> lock(mutex_);
    line_.tell_of_fork();
  }

  lease::Contents read(lease::Action action) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return leases_.read(line_, std::move(action));
  }

  lease::Answer write(lease::Action action) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return leases_.write(line_, std::move(action));
  }

  count::Contents read(const std::string& counter) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return talk_about(counter).read(line_, count::Action{count::Action::Kind::read});
  }

  count::Answer write(const std::string& counter, count::Action action) {
    const std::lock_guard<std::mutex> lock(mutex_);
    CounterTalk& talk = talk_about(counter);
    if (action.kind == count::Action::Kind::head && !action.head.head_nonce) talk.make_table(line_);
    return talk.write(line_, std::move(action));
  }

  count::Names names() {
    count::Names names;
    std::string failure;
    const std::lock_guard<std::mutex> lock(mutex_);
    lease::StoreSession session(std::make_unique<NamesRequest>(target_.dialect_of(""), names, failure));
    line_.carry_out(session);
    if (!failure.empty()) throw Error(ErrorCode::store_unavailable, failure);
    return names;
  }

 private:
  CounterTalk& talk_about(const std::string& counter) {
    const auto found = counters_.find(counter);
    if (found != counters_.end()) return found->second;
    return counters_.try_emplace(counter, target_.dialect_of(counter)).first->second;
  }

  const Target& target_;
  const std::uint64_t execution_ = Execution::current();
  std::mutex mutex_;  // for all that follow
  Line line_;
  LeaseTalk leases_;
  std::map<std::string, CounterTalk> counters_;
};

class StoreOverCarrier final : public CarriedStore {
 public:
  explicit StoreOverCarrier(Target target) : target_(std::move(target)), talks_(new Talks(target_, false)) {}
  ~StoreOverCarrier() override {
    Talks* const talks = talks_.load(std::memory_order_acquire);
    if (talks->of_this_execution()) delete talks;
  }
  StoreOverCarrier(const StoreOverCarrier&) = delete;
  StoreOverCarrier& operator=(const StoreOverCarrier&) = delete;

  lease::Contents read(const lease::Read& read) override {
    lease::Action action{lease::Action::Kind::read};
    action.read = read;
    return talks().read(std::move(action));
  }
  lease::Answer cas(const lease::Cas& request) override {
    lease::Action action{lease::Action::Kind::cas};
    action.cas = request;
    return talks().write(std::move(action));
  }

  count::Contents read_counter(const std::string& name) override { return talks().read(name); }
  count::Names counter_names() override { return talks().names(); }
  count::Answer add(const count::Add& request) override {
    count::Action action{count::Action::Kind::add};
    action.add = request;
    return talks().write(request.counter, std::move(action));
  }
  count::Answer write_head(const count::WriteHead& request) override {
    count::Action action{count::Action::Kind::head};
    action.head = request;
    return talks().write(request.counter, std::move(action));
  }
  count::Answer back(const count::Back& request) override {
    count::Action action{count::Action::Kind::back};
    action.back = request;
    return talks().write(request.counter, std::move(action));
  }

  void forked() override { talks().tell_of_fork(); }

 private:
  // Those of another execution are never freed: a thread that was not copied may hold their lock.
  Talks& talks() {
    Talks* known = talks_.load(std::memory_order_acquire);
    if (known->of_this_execution()) return *known;
    auto made = std::make_unique<Talks>(target_, true);
    // Acquire-release: all threads of the copy take those of the winner.
    if (talks_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *known;
  }

  const Target target_;
  std::atomic<Talks*> talks_;
};

// Errors: option_invalid.
void check_name(const std::string& kind, const count::Place& place) {
  lease::WantedNamespace wanted;
  wanted.set("namespace", place.space);
  if (!place.schema.empty()) wanted.set("schema", place.schema);
  lease::check_schema(kind, wanted);
}

}  // namespace

std::shared_ptr<CarriedStore> make_carried_store(const std::string& kind, const count::Place& place,
                                                 std::shared_ptr<Carrier> carrier) {
  if (carrier == nullptr) throw Error(ErrorCode::option_invalid, "the carrier is a null pointer");
  if (lease::store_kind(kind).make == nullptr) {
    throw Error(ErrorCode::option_invalid, "a store in memory has no carrier: use MemoryStore");
  }
  check_name(kind, place);
  Target target{kind, place, std::move(carrier)};
  const std::vector<std::string> statements = target.dialect()->setup();
  if (!statements.empty()) target.carrier->set_up(statements);
  return std::make_shared<StoreOverCarrier>(std::move(target));
}

std::shared_ptr<CarriedStore> carried_store(const std::string& kind, const std::string& name,
                                            std::shared_ptr<Carrier> carrier, const std::string& schema) {
  return make_carried_store(kind, {name, "", schema, lease::Placeholder::question}, std::move(carrier));
}

}  // namespace polyflake
