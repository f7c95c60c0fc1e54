// Acts on replies of the store, for the lease machine.
#include <algorithm>
#include <utility>

#include "lease/machine.hpp"
#include "lease/namespace_rules.hpp"
#include "lease/rules.hpp"

namespace polyflake::lease {
namespace {

constexpr std::uint64_t kLookedAtInARow = 4096;
constexpr std::int64_t kLongestPauseMs = 500;  // notices soon when a store is back
constexpr char kTaken[] = "the record of the node id was written by another holder, or an operator raised the floor";
constexpr char kMovedOn[] = "the namespace was made anew, or an operator raised the floor";

Action event(Action::Kind kind, const Window& window) {
  Action action{kind};
  action.window = window;
  return action;
}

// Never, as long as the rule is kept.
bool adopts(const std::optional<NodeRecord>& record, const Word& owner) {
  return !keeps(Rule::adopt_nothing_by_owner) && record && record->owner == owner;
}

}  // namespace

// Returns false if this is not the requested namespace, or it has changed since the request.
bool Machine::accept(const Contents& contents, Time now) {
  if (refuses_skew(contents, now)) return false;
  if (!contents.space && settings_.makes_namespace) {
    lose(kMovedOn);
    incarnation_ = contents.incarnation;
    stage_ = Stage::make;
    return false;
  }
  if (auto refusal = refusal_of(contents.space, settings_)) {
    lose(refusal->message);
    refuse(refusal->code, std::move(refusal->message), now);
    return false;
  }
  const NamespaceRecord& space = *contents.space;
  const bool same = space_ && space.uuid == space_->uuid && space.term == space_->term;
  if (stage_ == Stage::recheck) {
    if (holds(Rule::compare_uuid_and_term, same)) return true;
    lose(kMovedOn);
    stage_ = Stage::space;
    return false;
  }
  space_ = space;
  incarnation_ = contents.incarnation;
  if (stage_ == Stage::sample && !is_settled(*space_, incarnation_)) stage_ = Stage::space;
  return true;
}

void Machine::look_at_space() {
  if (is_settled(*space_, incarnation_)) {
    stage_ = revalidating_ ? Stage::recheck : Stage::sample;
  } else {
    stage_ = keeps(Rule::settle_before_floor) ? Stage::confirm : Stage::settle;
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
    // The namespace was made again meanwhile: nothing is created above `used`.
    if (node > space_->used) {
      outdated = true;
      continue;
    }
    if (record && node == space_->used) {
      stage_ = Stage::step_over;
      return;
    }
    if (!record) {
      (node < space_->used ? lost.emplace_back() : never_used.emplace()).node = node;
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
  if (looked_at_ < std::min<std::uint64_t>(space_->used, kLookedAtInARow))
    return;  // else the next part is read at once
  wait_for_free_node(soonest_ms, now);
}

// soonest_ms: when the first of the sampled windows ends.
void Machine::wait_for_free_node(std::int64_t soonest_ms, Time now) {
  looked_at_ = 0;
  failure_ = Failure{ErrorCode::no_worker_free, "all node ids of the namespace are held (" +
                                                    std::to_string(settings_.capacity) +
                                                    "): end a process that holds one, or use a layout with more node "
                                                    "ids in another namespace"};
  const std::int64_t longest_ms = std::max<std::int64_t>(space_->window_ms / 10, 2);
  const std::int64_t wait_ms = std::min(soonest_ms - wall_ms(now), longest_ms / 2);
  not_before_ =
      now.mono_ms + wait_ms + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(longest_ms) / 2));
}

// If an answer did not arrive, the record may carry the old nonce: then that request may be
// repeated, with a new nonce. The machine never takes an unconfirmed request as granted.
void Machine::look_at_own(const Contents& contents, Time now) {
  const auto& own = contents.nodes.empty() ? std::nullopt : contents.nodes.front();
  const bool untouched = own && own->nonce == held_->nonce;
  if (!untouched && adopts(own, held_->owner)) {
    held_->nonce = own->nonce;
    raise(own->until_ms);
    return;
  }
  const bool settled = is_settled(*contents.space, contents.incarnation);
  revalidating_ = revalidating_ || contents.incarnation != incarnation_ || !settled;
  if (untouched && revalidating_ && !settled) {
    stage_ = Stage::space;
    return;
  }
  if (!untouched || (revalidating_ && !may_revalidate(contents, now))) {
    lose(untouched ? "the store may have lost the last writes: the lease is not known to stand" : kTaken);
    stage_ = Stage::space;
    return;
  }
  space_ = contents.space;
  incarnation_ = contents.incarnation;
  revalidating_ = false;
  hurried_ = true;
  stage_ = Stage::held;
}

// Returns whether a window of another incarnation may be renewed: while it lasts, and if no other
// holder can have taken the node id.
bool Machine::may_revalidate(const Contents& contents, Time now) const {
  const std::int64_t latest_ms = wall_ms(now) + 2 * space_->tolerance_ms;
  const bool in_time = has_begun(wall_ms(now)) && latest_ms < held_->window.until_ms;
  return holds(Rule::revalidate_only_in_time, in_time) &&
         holds(Rule::revalidate_only_where_owners_are_safe, contents.store_ms.has_value());
}

void Machine::answered_space(Outcome outcome, Time now) {
  const bool confirmed = stage_ == Stage::confirm;
  if (outcome == Outcome::too_far) {
    return refuse(ErrorCode::clock_skew,
                  "the store refuses a floor so far ahead of its clock: this host's clock is ahead", now);
  }
  if (outcome != Outcome::ok) return begin_again(now);
  space_ = sent_cas_.space;
  stage_ = confirmed ? Stage::settle : Stage::space;
  if (stage_ == Stage::space) look_at_space();
}

void Machine::answered_candidate(Outcome outcome, Time now) {
  if (outcome == Outcome::unknown && !keeps(Rule::unknown_is_forfeited)) outcome = Outcome::ok;
  switch (outcome) {
    case Outcome::ok: return grant();
    case Outcome::too_far:
      if (space_->floor_ms > wall_ms(now) + quarantine_ms()) {
        return refuse(ErrorCode::store_unavailable,
                      "no window of the namespace begins before " + std::to_string(space_->floor_ms) +
                          " ms since 1970: its floor was raised. " + kEarlierFloor,
                      now);
      }
      return refuse(ErrorCode::clock_skew,
                    "the store refuses a window so far ahead of its clock: this host's clock is ahead", now);
    case Outcome::conflict:
    case Outcome::busy:
    case Outcome::unknown:
      if (outcome == Outcome::unknown) failure_ = Failure{ErrorCode::store_unavailable, "the store did not answer"};
      candidates_.erase(candidates_.begin());
      // A request that writes the namespace needs its present record.
      if (sent_cas_.space || candidates_.empty()) begin_again(now);
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
  stage_ = Stage::held;
  switch (outcome) {
    case Outcome::ok:
      held_->nonce = sent_cas_.record.nonce;
      ++renewals_;
      raise(sent_cas_.record.until_ms);
      break;
    case Outcome::unknown:
      failure_ = Failure{ErrorCode::store_unavailable, "the store did not answer"};
      stage_ = Stage::recheck;
      pause(now);
      break;
    case Outcome::incarnation:
      revalidating_ = true;
      stage_ = Stage::space;
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
      lose(outcome == Outcome::wrong_namespace ? kMovedOn : kTaken);
      stage_ = Stage::space;
      break;
  }
  if (!releasing_) return;
  stage_ = renewable_ && outcome == Outcome::ok ? Stage::give_back : Stage::done;
}

void Machine::grant() {
  if (sent_cas_.space) space_ = sent_cas_.space;
  held_ = Held{taking_, sent_cas_.record.nonce, sent_cas_.record.owner};
  renewable_ = true;
  candidates_.clear();
  stage_ = Stage::held;
  failure_.reset();
  rounds_ = 0;
  events_.push_back(event(Action::Kind::granted, held_->window));
}

void Machine::raise(std::int64_t until_ms) {
  held_->window.until_ms = std::max(held_->window.until_ms, until_ms);
  jitter_ms_ = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(space_->window_ms) / 12 + 1));
  stage_ = Stage::held;
  failure_.reset();
  rounds_ = 0;
  events_.push_back(event(Action::Kind::raised, held_->window));
}

void Machine::lose(const std::string& reason) {
  revalidating_ = false;
  if (!renewable_) return;
  renewable_ = false;
  if (!failure_) failure_ = Failure{ErrorCode::lease_lost, reason};
  events_.push_back(event(Action::Kind::lost, held_->window));
}

// Writes nothing that such a clock or namespace forbids. Without a window this fails; with one, or
// after one, it is tried again.
void Machine::refuse(ErrorCode code, std::string message, Time now) {
  failure_ = Failure{code, std::move(message)};
  if (!held_) {
    stage_ = Stage::failed;
    return;
  }
  stage_ = renewable_ ? Stage::held : Stage::space;
  not_before_ = now.mono_ms + std::min(window_ms() / 10, kLongestPauseMs);
}

// The store's reading lies between sending and reply, so a slow answer alone does not count as
// skew.
bool Machine::refuses_skew(const Contents& contents, Time now) {
  if (!contents.store_ms) return false;
  const std::int64_t tolerance_ms = contents.space ? contents.space->tolerance_ms : settings_.tolerance_ms;
  const std::int64_t behind_ms = *contents.store_ms - now.wall_ms;
  const std::int64_t latest_ms = *contents.store_ms + contents.store_span_ms;
  const std::int64_t ahead_ms = now.wall_ms - latest_ms - (now.mono_ms - sent_.mono_ms);
  const std::int64_t off_ms = std::max(behind_ms, ahead_ms);
  if (off_ms <= tolerance_ms) return false;
  refuse(ErrorCode::clock_skew,
         "this host's clock is " + std::to_string(off_ms) + " ms " + (behind_ms > 0 ? "behind" : "ahead of") +
             " the store's; " + std::to_string(tolerance_ms) + " ms are tolerated",
         now);
  return true;
}

// Returns true if the store grants no other holder what this one may still stamp, even if it has
// forgotten this window: it must be settled first, or an operator raised the floor. A term that
// differs is not enough: the store may be older than the last raise.
bool Machine::is_kept_apart(const Contents& contents) const {
  if (!space_ || !contents.space) return false;
  const NamespaceRecord& space = *contents.space;
  if (contents.incarnation != incarnation_) return true;
  if (space.term == space_->term) return false;
  return !held_ || !is_settled(space, contents.incarnation) || space.floor_ms >= held_->window.until_ms;
}

// Returns true if the store was put back to a former revision. Then it has forgotten this holder's
// window, and grants it to others.
bool Machine::refuses_fall(std::optional<std::int64_t> revision, bool kept_apart, Time now) {
  if (!revision || !keeps(Rule::stop_at_fallen_revision)) return false;
  const std::int64_t highest = revision_.value_or(*revision);
  if (kept_apart || *revision > highest || (*revision == highest && !fallen_)) {
    revision_ = revision;
    fallen_ = false;
    return false;
  }
  if (!fallen_ && held_) events_.push_back(event(Action::Kind::frozen, held_->window));
  fallen_ = true;
  renewable_ = false;
  revalidating_ = false;
  failure_ = Failure{ErrorCode::store_unavailable,
                     "the store's revision fell from " + std::to_string(highest) + " to " + std::to_string(*revision) +
                         ": it was restored from a snapshot. Raise the floor of the namespace (raise_floor)"};
  stage_ = releasing_ ? Stage::done : Stage::space;
  pause(now);
  return true;
}

void Machine::begin_again(Time now) {
  stage_ = Stage::space;
  pause(now);
}

// Pauses longer with every failed round, and at random, so that competing holders do not meet
// again.
void Machine::pause(Time now) {
  constexpr std::int64_t kFirstMs = 4;
  const std::int64_t most_ms = std::clamp(window_ms() / 16, kFirstMs, kLongestPauseMs);
  const std::int64_t longest_ms = std::min(kFirstMs << std::min(rounds_, 12U), most_ms);
  ++rounds_;
  not_before_ = now.mono_ms + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(longest_ms)));
}

}  // namespace polyflake::lease
