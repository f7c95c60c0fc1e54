// The steps of a lease: machine_requests.cpp makes its requests, machine_replies.cpp judges answers.
#include "lease/machine.hpp"

#include <algorithm>
#include <utility>

#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

Action sleep(Time now, std::int64_t ms) {
  Action action{Action::Kind::sleep};
  action.mono_ms = now.mono_ms + std::max<std::int64_t>(ms, 1);
  return action;
}

}  // namespace

Machine::Machine(Settings settings, Random& random) : settings_(std::move(settings)), random_(random) {}

// --- the next action -----------------------------------------------------------------------------

Action Machine::poll(Time now) {
  if (!events_.empty()) {
    Action first = std::move(events_.front());
    events_.erase(events_.begin());
    return first;
  }
  if (!deadline_) deadline_ = now.mono_ms + settings_.acquire_timeout_ms;
  if (!held_ && stage_ < Stage::held && now.mono_ms >= *deadline_) {
    if (!failure_) failure_ = Failure{ErrorCode::store_unavailable, "the store gave no node id"};
    failure_->message += ". Waited " + std::to_string(settings_.acquire_timeout_ms) + " ms (acquire_timeout_ms)";
    stage_ = Stage::failed;
  }
  if (stage_ == Stage::failed) return {Action::Kind::failed};
  if (stage_ == Stage::done) return {Action::Kind::done};
  if (awaiting_) return sleep(now, settings_.window_ms);
  if (now.mono_ms < not_before_) return sleep(now, not_before_ - now.mono_ms);
  return next_request(now);
}

Action Machine::next_request(Time now) {
  switch (stage_) {
    case Stage::space: return read({}, now);
    case Stage::make: return cas(make(), now);
    case Stage::confirm: return cas(write_space(*space_), now);
    case Stage::settle: return cas(settle(now), now);
    case Stage::sample: return read(sample(now), now);
    case Stage::candidates: return cas(take(candidates_.front(), now), now);
    case Stage::step_over: return cas(step_over(), now);
    case Stage::recheck: return read({held_->window.node}, now);
    case Stage::give_back: return cas(write_own(*releasing_), now);
    default: return hold(now);
  }
}

Action Machine::hold(Time now) {
  const std::int64_t window_ms = space_->window_ms;
  const std::int64_t left_ms = held_->window.until_ms - now.wall_ms;
  const bool begun = has_begun(now.wall_ms);
  // Before its beginning the window is renewed only to learn if it is still valid.
  const std::int64_t spare_ms =
      begun ? left_ms - (window_ms * 2 / 3 - jitter_ms_) : sent_.mono_ms + window_ms / 3 - now.mono_ms;
  // In a hurry it renews even if the window cannot grow: then the window is confirmed.
  const bool due = hurried_ || (spare_ms <= 0 && (!begun || left_ms < window_ms));
  // Sleeps only briefly: the clock may be set meanwhile.
  if (!due)
    return sleep(now, std::min({spare_ms, window_ms / 6, begun ? window_ms : held_->window.start_ms - now.wall_ms}));
  hurried_ = false;
  stage_ = Stage::renewal;
  const std::int64_t wanted_ms = begun ? now.wall_ms + window_ms : held_->window.until_ms;
  return cas(write_own(keeps(Rule::until_only_rises) ? std::max(held_->window.until_ms, wanted_ms) : wanted_ms), now);
}

Action Machine::send(Action action, Time now) {
  action.number = ++number_;
  awaiting_ = true;
  sent_ = now;
  return action;
}

Action Machine::read(std::vector<std::uint64_t> nodes, Time now) {
  Action action{Action::Kind::read};
  action.read.nodes = std::move(nodes);
  return send(std::move(action), now);
}

Action Machine::cas(Cas request, Time now) {
  Action action{Action::Kind::cas};
  sent_cas_ = std::move(request);
  action.cas = sent_cas_;
  return send(std::move(action), now);
}

bool Machine::has_begun(std::int64_t wall_ms) const {
  return holds(Rule::nothing_before_its_beginning, held_->window.start_ms <= wall_ms);
}

// --- results -------------------------------------------------------------------------------------

std::int64_t Machine::wall_ms(Time now) const { return keeps(Rule::clock_after_reply) ? now.wall_ms : sent_.wall_ms; }

void Machine::deliver(std::uint64_t number, const Contents& contents, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  if (refuses_fall(contents.revision, is_kept_apart(contents), now) || !accept(contents, now)) return;
  switch (stage_) {
    case Stage::space: return look_at_space();
    case Stage::sample: return look_at_sample(contents, now);
    case Stage::recheck: return look_at_own(contents, now);
    default: return;
  }
}

void Machine::deliver(std::uint64_t number, Answer answer, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  // An answer with another echo belongs to another request.
  const bool ours = holds(Rule::answer_repeats_echo, answer.echo == sent_cas_.echo);
  const Outcome outcome = ours ? answer.outcome : Outcome::unknown;
  if (outcome == Outcome::unknown) ++failures_;
  if (ours && refuses_fall(answer.revision, false, now)) return;
  switch (stage_) {
    case Stage::make:
    case Stage::confirm:
    case Stage::settle:
    case Stage::step_over: return answered_space(outcome, now);
    case Stage::candidates: return answered_candidate(outcome, now);
    case Stage::renewal: return answered_renewal(outcome, now);
    default: stage_ = Stage::done; return;
  }
}

void Machine::deliver_nothing(std::uint64_t number, const std::string& reason, Time now) {
  if (!awaiting_ || number != number_) return;
  const bool of_read = stage_ == Stage::space || stage_ == Stage::sample || stage_ == Stage::recheck;
  if (!of_read) {
    deliver(number, Answer{}, now);
    failure_ = Failure{ErrorCode::store_unavailable, reason};
    return;
  }
  awaiting_ = false;
  ++failures_;
  failure_ = Failure{ErrorCode::store_unavailable, reason};
  if (!space_ && !held_) {
    // The first request failed: the address or the credentials are wrong, or no server listens.
    stage_ = Stage::failed;
    return;
  }
  pause(now);
}

void Machine::release(std::int64_t stamped_until_ms) {
  if (releasing_ || stage_ == Stage::done) return;
  events_.clear();  // their window was not used yet, and never will be
  if (held_) stamped_until_ms = std::max(stamped_until_ms, held_->window.start_ms);
  const bool lowers = held_ && renewable_ && stamped_until_ms < held_->window.until_ms;
  releasing_ = stamped_until_ms;
  // answered_renewal() continues from there.
  if (awaiting_ && stage_ == Stage::renewal && lowers) return;
  awaiting_ = false;
  not_before_ = 0;
  stage_ = lowers && stage_ != Stage::recheck ? Stage::give_back : Stage::done;
}

}  // namespace polyflake::lease
