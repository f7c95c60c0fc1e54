#include "lease/task.hpp"

#include <algorithm>
#include <utility>

#include "lease/namespace_rules.hpp"
#include "lease/store_url.hpp"

namespace polyflake::lease {
namespace {

constexpr int kRounds = 20;
constexpr std::int64_t kPauseMs = 100;

Action read(std::vector<std::uint64_t> nodes) {
  Action action{Action::Kind::read};
  action.read.nodes = std::move(nodes);
  return action;
}

Action cas(const Cas& request) {
  Action action{Action::Kind::cas};
  action.cas = request;
  return action;
}

Action done() { return {Action::Kind::done}; }

}  // namespace

Action Task::next(Time now) {
  if (!deadline_ms_) deadline_ms_ = now.mono_ms + settings_.acquire_timeout_ms;
  if (now.mono_ms >= not_before_ms_) return ask(now);
  Action action{Action::Kind::sleep};
  action.mono_ms = not_before_ms_;
  return action;
}

void Task::deliver(const Contents& contents) {
  answered_ = true;
  take(contents);
}

void Task::deliver(const Answer& answer) {
  answered_ = true;
  take(answer);
}

void Task::deliver_nothing(const std::string& reason, Time now) {
  if (!answered_ || now.mono_ms >= *deadline_ms_) throw Error(ErrorCode::store_unavailable, reason);
  last_failure_ = reason;
  not_before_ms_ = now.mono_ms + kPauseMs;
}

void Task::count_round(const std::string& reason) {
  if (++rounds_ > kRounds) throw Error(ErrorCode::store_unavailable, last_failure_.empty() ? reason : last_failure_);
}

const NamespaceRecord& Task::checked(const Contents& contents) const {
  if (const auto refusal = refusal_of(contents.names, settings_)) throw Error(refusal->code, refusal->message);
  return *contents.names;
}

// --- init -------------------------------------------------------------------------------------------

Action InitTask::ask(Time) {
  if (uuid_) return done();
  if (!incarnation_) return read({});
  sent_ = unconfirmed_ ? written_again(*unconfirmed_) : first_write();
  sent_.echo = random_.word();
  sent_.layout = settings_.layout;
  sent_.incarnation = *incarnation_;
  return cas(sent_);
}

Cas InitTask::first_write() const {
  Cas request;
  request.makes_namespace = true;
  request.names = new_namespace(settings_, random_);
  if (none_ever_was_) {
    request.names->settled = true;
    request.names->incarnation = *incarnation_;
  }
  request.fenced = fenced_;
  return request;
}

Cas InitTask::written_again(const NamespaceRecord& names) const {
  Cas request;
  request.uuid = names.uuid;
  request.term = names.term;
  request.names_nonce = names.nonce;
  request.names = names;
  request.names->nonce = random_.word();
  return request;
}

void InitTask::take(const Contents& contents) {
  incarnation_ = contents.incarnation;
  unconfirmed_.reset();
  if (!contents.names) return;
  const NamespaceRecord& names = checked(contents);
  if (sent_.names && sent_.names->uuid == names.uuid) {
    unconfirmed_ = names;
  } else {
    uuid_ = names.uuid;
  }
}

void InitTask::take(const Answer& answer) {
  if (answer.outcome == Outcome::ok && answer.echo == sent_.echo) {
    uuid_ = sent_.names->uuid;
    return;
  }
  incarnation_.reset();  // it may be there now, by this write or by another process
  count_round("the store did not confirm the new namespace");
}

// --- raise the floor --------------------------------------------------------------------------------

RaiseFloorTask::RaiseFloorTask(const Layout& layout, std::int64_t floor_ms, bool lower, Random& random)
    : Task(settings_of(layout)), floor_ms_(floor_ms), lower_(lower), random_(random) {
  layout.tick_at(floor_ms);  // also seconds and microseconds: without `lower` one too low does nothing
}

Action RaiseFloorTask::ask(Time now) {
  if (done_) return done();
  if (!found_) return read({});
  const NamespaceRecord& names = *found_->names;
  sent_ = Cas{};
  sent_.echo = random_.word();
  sent_.uuid = names.uuid;
  sent_.term = names.term;
  sent_.layout = names.layout;
  sent_.names_nonce = names.nonce;
  sent_.incarnation = found_->incarnation;
  sent_.bounded = false;
  sent_.copies = copies_;
  sent_.names = names;
  sent_.names->nonce = random_.word();
  sent_.names->term = random_.word();
  // Lowered in two steps: the first ends the term, so that no window of before grows. The clock is read after that.
  const bool lowers = lower_ && ended_term_;
  const std::int64_t least_ms = lowers ? now.wall_ms + names.window_ms + 2 * names.tolerance_ms : names.floor_ms;
  sent_.names->floor_ms = std::max(least_ms, floor_ms_);
  return cas(sent_);
}

void RaiseFloorTask::take(const Contents& contents) {
  checked(contents);
  found_ = contents;
}

void RaiseFloorTask::take(const Answer& answer) {
  const bool written = answer.outcome == Outcome::ok && answer.echo == sent_.echo;
  done_ = written && (!lower_ || ended_term_);
  ended_term_ = ended_term_ || written;
  if (done_) return;
  found_.reset();
  if (!written) count_round("the store did not confirm the new floor");
}

// --- look -------------------------------------------------------------------------------------------

Action LeasesTask::ask(Time now) {
  now_ = now;
  if (!used_) return read({});
  asked_.clear();
  while (next_ < *used_ && asked_.size() < Read::kMostNodes) asked_.push_back(next_++);
  return asked_.empty() ? done() : read(asked_);
}

void LeasesTask::take(const Contents& contents) {
  const NamespaceRecord& names = checked(contents);
  if (!used_) {
    used_ = std::min(names.used, settings_.capacity);
    return;
  }
  for (std::size_t i = 0; i < asked_.size() && i < contents.nodes.size(); ++i) {
    const auto& record = contents.nodes[i];
    if (record && record->until_ms > now_.wall_ms) held_.push_back({asked_[i], record->until_ms, record->label});
  }
}

}  // namespace polyflake::lease
