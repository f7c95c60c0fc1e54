#include "lease/machine.hpp"

#include <algorithm>
#include <utility>

#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

constexpr std::size_t kSample = 16;        // node records in one read
constexpr std::size_t kLargeSample = 128;  // where every node id was used before
constexpr std::uint64_t kLookedAtInARow = 4096;

Action event(Action::Kind kind, const Window& window) {
  Action action{kind};
  action.window = window;
  return action;
}

Action sleep(Time now, std::int64_t ms) {
  Action action{Action::Kind::sleep};
  action.mono_ms = now.mono_ms + std::max<std::int64_t>(ms, 1);
  return action;
}

}  // namespace

Machine::Machine(Settings settings, Random& random) : settings_(std::move(settings)), random_(random) {}

// --- what to do next --------------------------------------------------------------------------------

Action Machine::poll(Time now) {
  if (!events_.empty()) {
    Action first = std::move(events_.front());
    events_.erase(events_.begin());
    return first;
  }
  if (!deadline_) deadline_ = now.mono_ms + settings_.acquire_timeout_ms;
  if (!held_ && stage_ < Stage::holding && now.mono_ms >= *deadline_) {
    if (!trouble_) trouble_ = Failure{ErrorCode::store_unavailable, "the store gave no node id in time"};
    stage_ = Stage::failed;
  }
  if (stage_ == Stage::failed) return {Action::Kind::failed};
  if (stage_ == Stage::done) return {Action::Kind::done};
  if (awaiting_) return sleep(now, settings_.window_ms);
  if (now.mono_ms < not_before_) return sleep(now, not_before_ - now.mono_ms);
  switch (stage_) {
    case Stage::names: return read({}, now);
    case Stage::make: return cas(make(), now);
    case Stage::confirm: return cas(write_names(*names_), now);
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
  const std::int64_t window_ms = names_->window_ms;
  const std::int64_t left_ms = held_->window.until_ms - now.wall_ms;
  const bool begun = has_begun(now.wall_ms);
  // Before its beginning only to find out whether it still stands.
  const std::int64_t spare_ms =
      begun ? left_ms - (window_ms * 2 / 3 - jitter_ms_) : sent_.mono_ms + window_ms / 3 - now.mono_ms;
  const bool due = (hurried_ || spare_ms <= 0) && (!begun || left_ms < window_ms);
  hurried_ = false;
  // Not for long: the clock may be set meanwhile.
  if (!due)
    return sleep(now, std::min({spare_ms, window_ms / 6, begun ? window_ms : held_->window.start_ms - now.wall_ms}));
  stage_ = Stage::renewal;
  return cas(write_own(begun ? now.wall_ms + window_ms : held_->window.until_ms), now);
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

// --- requests ---------------------------------------------------------------------------------------

Cas Machine::request() {
  Cas request;
  request.echo = random_.word();
  request.uuid = names_->uuid;
  request.term = names_->term;
  request.layout = settings_.layout;
  request.incarnation = incarnation_;
  request.longest_ms = names_->window_ms + 3 * names_->tolerance_ms;
  return request;
}

Cas Machine::write_names(NamespaceRecord names) {
  Cas request = this->request();
  request.names_nonce = names_->nonce;
  names.nonce = random_.word();
  request.names = std::move(names);
  return request;
}

Cas Machine::make() {
  NamespaceRecord names;
  names.uuid = random_.word();
  names.nonce = random_.word();
  names.term = random_.word();
  names.layout = settings_.layout;
  names.window_ms = settings_.window_ms;
  names.tolerance_ms = settings_.tolerance_ms;
  // Otherwise whoever sees it first settles it: one of its name may have been lost with ids in flight.
  const bool none_ever_was = settings_.fresh && !names_;
  if (none_ever_was) names.incarnation = incarnation_;
  Cas request;
  request.echo = random_.word();
  request.makes_namespace = true;
  request.layout = settings_.layout;
  request.incarnation = incarnation_;
  request.names = std::move(names);
  return request;
}

Cas Machine::settle(Time now) {
  NamespaceRecord names = *names_;
  names.incarnation = incarnation_;
  names.floor_ms = std::max(names.floor_ms, wall_ms(now) + quarantine_ms());
  return write_names(std::move(names));
}

Cas Machine::step_over() {
  NamespaceRecord names = *names_;
  ++names.used;
  return write_names(std::move(names));
}

Cas Machine::take(const Candidate& candidate, Time now) {
  const std::int64_t wall_ms = this->wall_ms(now);
  const bool never_used = candidate.node == names_->used;
  Cas request;
  std::int64_t start_ms = std::max(wall_ms, names_->floor_ms);
  if (candidate.nonce) {
    request = this->request();
    start_ms = std::max(start_ms, candidate.until_ms);
  } else if (keeps(never_used ? Rule::create_in_one_step : Rule::creation_writes_namespace)) {
    // A record that came and went after it was looked for leaves its trace in the namespace alone.
    NamespaceRecord names = *names_;
    if (never_used) ++names.used;
    request = write_names(std::move(names));
  } else {
    request = this->request();
  }
  const bool lost = !candidate.nonce && !never_used;
  if (lost && keeps(Rule::absent_is_quarantined)) start_ms = std::max(wall_ms + quarantine_ms(), names_->floor_ms);
  // Empty before it begins, so that nobody was granted anything beyond the window of a holder that goes on in another reign
  // of the store: not even where that holder's record was deleted for a while in the former reign.
  const bool later = start_ms > wall_ms && keeps(Rule::nothing_before_its_beginning);
  taking_ = {candidate.node, start_ms, later ? start_ms : std::max(start_ms, wall_ms + names_->window_ms)};
  request.node = candidate.node;
  request.node_nonce = candidate.nonce;
  request.record = {random_.word(), random_.word(), settings_.layout, taking_.until_ms, settings_.label};
  return request;
}

Cas Machine::write_own(std::int64_t until_ms) {
  Cas request = this->request();
  if (!keeps(Rule::renewals_carry_incarnation)) request.incarnation.clear();
  request.node = held_->window.node;
  request.node_nonce = held_->nonce;
  request.record = {random_.word(), held_->owner, settings_.layout, until_ms, settings_.label};
  return request;
}

// Some node ids below `used` at random, and the first that was never used; where there is none, all of them bit by bit.
std::vector<std::uint64_t> Machine::sample(Time now) {
  const std::uint64_t used = std::min(names_->used, settings_.capacity);
  const bool any_new = used < settings_.capacity;
  sampled_.clear();
  const auto add = [&](std::uint64_t node) {
    const bool own = held_ && held_->window.node == node && now.wall_ms < held_->window.until_ms;
    if (!own && std::find(sampled_.begin(), sampled_.end(), node) == sampled_.end()) sampled_.push_back(node);
  };
  if (!any_new) {
    if (looked_at_ == 0) next_ = random_.below(used);
    const std::uint64_t part = std::min<std::uint64_t>(used, kLargeSample);
    for (std::uint64_t i = 0; i < part; ++i) add(next_++ % used);
    looked_at_ += part;
    return sampled_;
  }
  if (used <= kSample) {
    for (std::uint64_t node = 0; node < used; ++node) add(node);
  } else {
    while (sampled_.size() < kSample / 2) add(random_.below(used));
  }
  sampled_.push_back(used);
  return sampled_;
}

bool Machine::has_begun(std::int64_t wall_ms) const {
  return held_->window.start_ms <= wall_ms || !keeps(Rule::nothing_before_its_beginning);
}

// --- what came of it --------------------------------------------------------------------------------

std::int64_t Machine::wall_ms(Time now) const { return keeps(Rule::clock_after_reply) ? now.wall_ms : sent_.wall_ms; }

void Machine::deliver(std::uint64_t number, const Contents& contents, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  if (!accept(contents, now)) return;
  switch (stage_) {
    case Stage::names: return look_at_names();
    case Stage::sample: return look_at_sample(contents, now);
    case Stage::recheck: return look_at_own(contents, now);
    default: return;
  }
}

void Machine::deliver(std::uint64_t number, Answer answer, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  // With another echo it answers somebody else.
  const Outcome outcome = answer.echo == sent_cas_.echo ? answer.outcome : Outcome::unknown;
  if (outcome == Outcome::unknown) ++failures_;
  switch (stage_) {
    case Stage::make:
    case Stage::confirm:
    case Stage::settle:
    case Stage::step_over: return answered_names(outcome, now);
    case Stage::candidates: return answered_candidate(outcome, now);
    case Stage::renewal: return answered_renewal(outcome, now);
    default: stage_ = Stage::done; return;
  }
}

void Machine::deliver_nothing(std::uint64_t number, const std::string& reason, Time now) {
  if (!awaiting_ || number != number_) return;
  const bool of_read = stage_ == Stage::names || stage_ == Stage::sample || stage_ == Stage::recheck;
  if (!of_read) return deliver(number, Answer{}, now);
  awaiting_ = false;
  ++failures_;
  trouble_ = Failure{ErrorCode::store_unavailable, reason};
  if (!names_ && !held_) {
    stage_ = Stage::failed;  // the first question of all: the address or the credentials are wrong, or nobody is there
    return;
  }
  pause(now);
}

// False where the namespace is not the one that was asked for, or has changed below what is being done.
bool Machine::accept(const Contents& contents, Time now) {
  if (refuses_skew(contents.store_ms, now)) return false;
  if (!contents.names) {
    lose();
    incarnation_ = contents.incarnation;
    if (settings_.makes_namespace) {
      stage_ = Stage::make;
    } else {
      refuse(ErrorCode::namespace_not_initialised,
             "there is no such namespace in this store; is it the right store? If so, make the namespace once", now);
    }
    return false;
  }
  const NamespaceRecord& names = *contents.names;
  if (settings_.uuid && names.uuid != *settings_.uuid) {
    lose();
    refuse(ErrorCode::wrong_namespace, "the namespace of this name has another uuid than the one that was asked for",
           now);
    return false;
  }
  if (names.layout != settings_.layout) {
    lose();
    refuse(ErrorCode::layout_mismatch,
           "the namespace belongs to another layout; another layout needs another namespace", now);
    return false;
  }
  const bool same = names_ && names.uuid == names_->uuid && names.term == names_->term;
  if (stage_ == Stage::recheck) {
    if (same || !keeps(Rule::compare_uuid_and_term)) return true;
    lose();  // made anew, or moved on by an operator
    stage_ = Stage::names;
    return false;
  }
  names_ = names;
  incarnation_ = contents.incarnation;
  if (stage_ == Stage::sample && names_->incarnation != incarnation_) stage_ = Stage::names;
  return true;
}

void Machine::look_at_names() {
  if (names_->incarnation != incarnation_) {
    stage_ = keeps(Rule::settle_before_floor) ? Stage::confirm : Stage::settle;
  } else {
    stage_ = revalidating_ ? Stage::recheck : Stage::sample;
  }
}

void Machine::look_at_sample(const Contents& contents, Time now) {
  candidates_.clear();
  std::optional<Candidate> never_used;
  std::vector<Candidate> lost;
  std::int64_t soonest_ms = INT64_MAX;
  bool outdated = false;
  for (std::size_t i = 0; i < sampled_.size() && i < contents.nodes.size(); ++i) {
    const std::uint64_t node = sampled_[i];
    const auto& record = contents.nodes[i];
    if (node > names_->used) {  // of a namespace that was made anew meanwhile: nothing is created above `used`
      outdated = true;
      continue;
    }
    if (record && node == names_->used) {
      stage_ = Stage::step_over;
      return;
    }
    if (!record) {
      (node < names_->used ? lost.emplace_back() : never_used.emplace()).node = node;
    } else if (record->until_ms <= wall_ms(now)) {
      candidates_.push_back({node, record->nonce, record->until_ms});
    } else {
      soonest_ms = std::min(soonest_ms, record->until_ms);
    }
  }
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.until_ms < b.until_ms; });
  if (never_used) candidates_.push_back(*never_used);
  candidates_.insert(candidates_.end(), lost.begin(), lost.end());
  if (!candidates_.empty()) {
    stage_ = Stage::candidates;
    looked_at_ = 0;
    return;
  }
  if (outdated) return;
  if (looked_at_ < std::min<std::uint64_t>(names_->used, kLookedAtInARow)) return;  // at the next part, at once
  looked_at_ = 0;
  trouble_ = Failure{ErrorCode::no_worker_free, "all node ids of the namespace are held"};
  const std::int64_t longest_ms = std::max<std::int64_t>(names_->window_ms / 10, 2);
  const std::int64_t wait_ms = std::min(soonest_ms - wall_ms(now), longest_ms / 2);
  not_before_ =
      now.mono_ms + wait_ms + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(longest_ms) / 2));
}

// After an answer that did not come the record may carry the old nonce: then that request may be repeated, with another one.
// It never counts as granted what it did not see confirmed.
void Machine::look_at_own(const Contents& contents, Time now) {
  const auto& own = contents.nodes.empty() ? std::nullopt : contents.nodes.front();
  const bool untouched = own && own->nonce == held_->nonce;
  if (!untouched && !keeps(Rule::adopt_nothing_by_owner) && own && own->owner == held_->owner) {
    held_->nonce = own->nonce;
    raise(own->until_ms);
    return;
  }
  const bool settled = contents.names->incarnation == contents.incarnation;
  revalidating_ = revalidating_ || contents.incarnation != incarnation_ || contents.names->incarnation != incarnation_;
  if (untouched && revalidating_ && !settled) {
    stage_ = Stage::names;
    return;
  }
  const std::int64_t latest_ms = wall_ms(now) + 2 * names_->tolerance_ms;
  const bool in_time =
      (has_begun(wall_ms(now)) && latest_ms < held_->window.until_ms) || !keeps(Rule::revalidate_only_in_time);
  const bool safe = contents.store_ms || !keeps(Rule::revalidate_only_where_owners_are_safe);
  if (!untouched || (revalidating_ && !(in_time && safe))) {
    lose();
    stage_ = Stage::names;
    return;
  }
  names_ = contents.names;
  incarnation_ = contents.incarnation;
  revalidating_ = false;
  hurried_ = true;
  stage_ = Stage::holding;
}

void Machine::answered_names(Outcome outcome, Time now) {
  const bool confirmed = stage_ == Stage::confirm;
  if (outcome == Outcome::too_far) {
    return refuse(ErrorCode::clock_skew,
                  "the store refuses a floor so far ahead of its clock: this host's clock is ahead", now);
  }
  if (outcome != Outcome::ok) return begin_again(now);
  names_ = sent_cas_.names;
  stage_ = confirmed ? Stage::settle : Stage::names;
  if (stage_ == Stage::names) look_at_names();
}

void Machine::answered_candidate(Outcome outcome, Time now) {
  if (outcome == Outcome::unknown && !keeps(Rule::unknown_is_forfeited)) outcome = Outcome::ok;
  switch (outcome) {
    case Outcome::ok: return grant();
    case Outcome::too_far:
      return refuse(ErrorCode::clock_skew,
                    "the store refuses a window so far ahead of its clock: this host's clock is ahead", now);
    case Outcome::conflict:
    case Outcome::busy:
    case Outcome::unknown:
      if (outcome == Outcome::unknown) trouble_ = Failure{ErrorCode::store_unavailable, "the store did not answer"};
      candidates_.erase(candidates_.begin());
      // What writes the namespace needs it as it is now.
      if (sent_cas_.names || candidates_.empty()) begin_again(now);
      return;
    case Outcome::incarnation:
      if (!keeps(Rule::begin_again_at_incarnation)) {
        incarnation_.clear();
        return;
      }
      return begin_again(now);
    default: return begin_again(now);
  }
}

void Machine::answered_renewal(Outcome outcome, Time now) {
  if (outcome == Outcome::unknown && !keeps(Rule::unknown_is_forfeited)) outcome = Outcome::ok;
  stage_ = Stage::holding;
  switch (outcome) {
    case Outcome::ok:
      held_->nonce = sent_cas_.record.nonce;
      ++renewals_;
      raise(sent_cas_.record.until_ms);
      break;
    case Outcome::unknown:
      trouble_ = Failure{ErrorCode::store_unavailable, "the store did not answer"};
      stage_ = Stage::recheck;
      pause(now);
      break;
    case Outcome::incarnation:
      revalidating_ = true;
      stage_ = Stage::names;
      break;
    case Outcome::too_far:
      refuse(ErrorCode::clock_skew, "the store refuses a window so far ahead of its clock: this host's clock is ahead",
             now);
      break;
    default:
      if (!keeps(Rule::adopt_nothing_by_owner)) {
        stage_ = Stage::recheck;
        break;
      }
      lose();
      stage_ = Stage::names;
      break;
  }
  if (!releasing_) return;
  stage_ = renewable_ && outcome == Outcome::ok ? Stage::give_back : Stage::done;
}

void Machine::grant() {
  if (sent_cas_.names) names_ = sent_cas_.names;
  held_ = Held{taking_, sent_cas_.record.nonce, sent_cas_.record.owner};
  renewable_ = true;
  candidates_.clear();
  stage_ = Stage::holding;
  trouble_.reset();
  rounds_ = 0;
  events_.push_back(event(Action::Kind::granted, held_->window));
}

void Machine::raise(std::int64_t until_ms) {
  held_->window.until_ms = std::max(held_->window.until_ms, until_ms);
  jitter_ms_ = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(names_->window_ms) / 12 + 1));
  stage_ = Stage::holding;
  trouble_.reset();
  rounds_ = 0;
  events_.push_back(event(Action::Kind::raised, held_->window));
}

void Machine::lose() {
  revalidating_ = false;
  if (!renewable_) return;
  renewable_ = false;
  events_.push_back(event(Action::Kind::lost, held_->window));
}

// Nothing is written that a clock or namespace like this forbids. A first window is then not to be had; with one, or after
// one, it is tried again.
void Machine::refuse(ErrorCode code, std::string message, Time now) {
  trouble_ = Failure{code, std::move(message)};
  if (!held_) {
    stage_ = Stage::failed;
    return;
  }
  stage_ = renewable_ ? Stage::holding : Stage::names;
  not_before_ = now.mono_ms + settings_.window_ms / 10;
}

// The store's reading lies between sending and reply, so a slow answer alone accuses nobody.
bool Machine::refuses_skew(std::optional<std::int64_t> store_ms, Time now) {
  if (!store_ms) return false;
  const std::int64_t tolerance_ms = names_ ? names_->tolerance_ms : settings_.tolerance_ms;
  const std::int64_t behind_ms = *store_ms - now.wall_ms;
  const std::int64_t ahead_ms = now.wall_ms - *store_ms - (now.mono_ms - sent_.mono_ms);
  const std::int64_t off_ms = std::max(behind_ms, ahead_ms);
  if (off_ms <= tolerance_ms) return false;
  refuse(ErrorCode::clock_skew,
         "this host's clock is " + std::to_string(off_ms) + " ms " + (behind_ms > 0 ? "behind" : "ahead of") +
             " the store's; " + std::to_string(tolerance_ms) + " ms are tolerated",
         now);
  return true;
}

void Machine::begin_again(Time now) {
  stage_ = Stage::names;
  pause(now);
}

// Longer with every round that came to nothing, and random, so that many who meet do not meet again.
void Machine::pause(Time now) {
  constexpr std::int64_t kFirstMs = 4;
  const std::int64_t longest_ms =
      std::min(kFirstMs << std::min(rounds_, 12U), std::max(settings_.window_ms / 16, kFirstMs));
  ++rounds_;
  not_before_ = now.mono_ms + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(longest_ms)));
}

void Machine::release(std::int64_t stamped_until_ms) {
  if (releasing_ || stage_ == Stage::done) return;
  events_.clear();  // of a window that was not issued from yet, and never will be
  if (held_) stamped_until_ms = std::max(stamped_until_ms, held_->window.start_ms);
  const bool lowers = held_ && renewable_ && stamped_until_ms < held_->window.until_ms;
  releasing_ = stamped_until_ms;
  if (awaiting_ && stage_ == Stage::renewal && lowers) return;  // answered_renewal() goes on from there
  awaiting_ = false;
  not_before_ = 0;
  stage_ = lowers && stage_ != Stage::recheck ? Stage::give_back : Stage::done;
}

}  // namespace polyflake::lease
