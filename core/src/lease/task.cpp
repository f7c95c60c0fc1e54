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
  if (const auto refusal = refusal_of(contents.space, settings_)) throw Error(refusal->code, refusal->message);
  return *contents.space;
}

// --- init ----------------------------------------------------------------------------------------

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
  request.space = new_namespace(settings_, random_);
  if (none_ever_was_) {
    request.space->settled = true;
    request.space->incarnation = *incarnation_;
  }
  request.fenced = fenced_;
  return request;
}

Cas InitTask::written_again(const NamespaceRecord& space) const {
  Cas request;
  request.uuid = space.uuid;
  request.term = space.term;
  request.space_nonce = space.nonce;
  request.space = space;
  request.space->nonce = random_.word();
  return request;
}

void InitTask::take(const Contents& contents) {
  incarnation_ = contents.incarnation;
  unconfirmed_.reset();
  if (!contents.space) return;
  const NamespaceRecord& space = checked(contents);
  if (sent_.space && sent_.space->uuid == space.uuid) {
    unconfirmed_ = space;
  } else {
    uuid_ = space.uuid;
  }
}

void InitTask::take(const Answer& answer) {
  if (answer.outcome == Outcome::ok && answer.echo == sent_.echo) {
    uuid_ = sent_.space->uuid;
    return;
  }
  incarnation_.reset();  // it may exist now, by this write or by another process
  count_round("the store did not confirm the new namespace");
}

// --- raise the floor -----------------------------------------------------------------------------

RaiseFloorTask::RaiseFloorTask(const Layout& layout, std::int64_t floor_ms, bool lower, Random& random)
    : Task(settings_of(layout)), floor_ms_(floor_ms), lower_(lower), random_(random) {
  // Refuses seconds and microseconds too: without `lower` a floor that is too low does nothing.
  layout.tick_at(floor_ms);
}

Action RaiseFloorTask::ask(Time now) {
  if (done_) return done();
  if (!found_) return read({});
  const NamespaceRecord& space = *found_->space;
  sent_ = Cas{};
  sent_.echo = random_.word();
  sent_.uuid = space.uuid;
  sent_.term = space.term;
  sent_.layout = space.layout;
  sent_.space_nonce = space.nonce;
  sent_.incarnation = found_->incarnation;
  sent_.bounded = false;
  sent_.copies = copies_;
  sent_.space = space;
  sent_.space->nonce = random_.word();
  sent_.space->term = random_.word();
  // Lowers in two steps: the first ends the term, so that no earlier window grows. The clock is
  // read after that.
  const bool lowers = lower_ && ended_term_;
  const std::int64_t least_ms = lowers ? now.wall_ms + space.window_ms + 2 * space.tolerance_ms : space.floor_ms;
  sent_.space->floor_ms = std::max(least_ms, floor_ms_);
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

// --- look ----------------------------------------------------------------------------------------

Action LeasesTask::ask(Time now) {
  now_ = now;
  if (!used_) return read({});
  asked_.clear();
  while (next_ < *used_ && asked_.size() < Read::kMostNodes) asked_.push_back(next_++);
  return asked_.empty() ? done() : read(asked_);
}

void LeasesTask::take(const Contents& contents) {
  const NamespaceRecord& space = checked(contents);
  if (!used_) {
    used_ = std::min(space.used, settings_.capacity);
    return;
  }
  for (std::size_t i = 0; i < asked_.size() && i < contents.nodes.size(); ++i) {
    const auto& record = contents.nodes[i];
    if (record && record->until_ms > now_.wall_ms) held_.push_back({asked_[i], record->until_ms, record->label});
  }
}

}  // namespace polyflake::lease
