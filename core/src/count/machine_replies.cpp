// Acts on replies of the store, for the counter machine.
#include <algorithm>
#include <utility>

#include "count/ceiling.hpp"
#include "count/heads.hpp"
#include "count/machine.hpp"
#include "count/rules.hpp"

namespace polyflake::count {
namespace {

constexpr std::int64_t kTopUpEveryMs = 60'000;
constexpr std::int64_t kJitterMs = 10'000;
constexpr std::int64_t kWitnessMs = 60'000;    // how far this host's clock may be from the store's
constexpr std::int64_t kMidnightMs = 600'000;  // a step back over midnight that changes nothing
constexpr char kMayNotGoOnYet[] =
    "the store may have lost numbers that were given out, and its clock does not allow to go on yet";
constexpr char kOperatorsWord[] =
    ". An operator who knows which numbers were given out sets the counter with raise_counter";

}  // namespace

// --- the counter, as read ------------------------------------------------------------------------

// Returns false if it is not the counter that was asked for, or still the one that went back.
bool Machine::accept(const Contents& contents, Time now) {
  if (!contents.space) {
    refuse(ErrorCode::namespace_not_initialised, "there is no such namespace in this store", now);
  } else if (settings_.uuid && contents.space->uuid != *settings_.uuid) {
    refuse(ErrorCode::wrong_namespace, "the namespace of this name has another uuid than the one that was asked for",
           now);
  } else if (!contents.misconfigured.empty()) {
    refuse(ErrorCode::store_misconfigured, contents.misconfigured, now);
  } else if (!contents.record) {
    refuse(ErrorCode::namespace_not_initialised,
           "there is no such counter in the namespace. If it is the right store, make the counter once, with "
           "init_counter and the last number that is taken",
           now);
  } else if (!(shape_of(contents.record->head) == settings_.shape)) {
    refuse(ErrorCode::layout_mismatch,
           "the counter is " + shown(shape_of(contents.record->head)) + ", and what was opened is " +
               shown(settings_.shape),
           now);
  } else if (settings_.shape.kind == "date" && !contents.store_ms) {
    refuse(ErrorCode::option_invalid, "a date needs a store with a clock", now);
  } else {
    if (is_other_term(contents)) {
      went_back_ = false;
      revision_.reset();
    }
    if (refuses_fall(contents.revision, now)) return false;
    uuid_ = contents.space->uuid;
    tolerance_ms_ = std::clamp<std::int64_t>(contents.space->tolerance_ms, 0, INT32_MAX);
    incarnation_ = contents.incarnation;
    record_ = contents.record;
    if (!went_back_) return true;
    not_before_ = now.mono_ms + kRefusedMs;
  }
  return false;
}

bool Machine::is_other_term(const Contents& contents) { return record_ && record_->term != contents.record->term; }

// Decides what the counter needs before ranges are taken.
void Machine::judge(const Contents& contents, Time now) {
  const Head& head = record_->head;
  const bool other = record_->incarnation != contents.incarnation || contents.put_back;
  const bool trusts = head.failover == "trust" && !contents.put_back;
  if (other && !trusts && (head.failover != "jump" || !has_ceiling(head, contents))) {
    return refuse_went_back("the store may have lost numbers that were given out", now);
  }
  const bool is_over = head.period_label != 0 && *contents.store_ms >= record_->until_ms;
  const bool is_before = head.period_label != 0 && *contents.store_ms < head.period_start_ms;
  if (is_over || (is_before && !keeps(Rule::period_never_goes_back))) return judge_period(contents, other, now);
  if (head.period_label != 0 && *contents.store_ms < head.period_start_ms - kMidnightMs) {
    return wait(head.period_start_ms - kMidnightMs - *contents.store_ms, "the store's clock is behind the period", now);
  }
  if (other) return judge_incarnation(contents, now);
  judge_room(contents, now);
}

void Machine::judge_period(const Contents& contents, bool other, Time now) {
  const std::int64_t store_ms = *contents.store_ms;
  const auto period = settings_.period_of(store_ms);
  if (!period) return refuse(ErrorCode::time_exhausted, "the store's clock shows a time without a period", now);
  const bool rises = period->label > record_->head.period_label;
  if (!holds(Rule::period_never_goes_back, rises)) {
    return wait(period->end_ms - store_ms, "the counter is in a later period than the store's clock", now);
  }
  const bool ceiling = has_ceiling(record_->head, contents);
  Record record = with_period(*record_, *period, store_ms, ceiling, other && ceiling);
  record.incarnation = contents.incarnation;
  if (other && ceiling) {
    if (must_wait_to_jump(record, store_ms, tolerance_ms_)) return wait(period->end_ms - store_ms, kMayNotGoOnYet, now);
    // In one write: between two, nothing might show that the period was opened by another one.
    record = jumped(std::move(record), store_ms, tolerance_ms_, contents.incarnation);
  }
  plan(std::move(record), true, contents, now);
}

// The store has another incarnation than the record, and the counter goes on nevertheless.
void Machine::judge_incarnation(const Contents& contents, Time now) {
  if (!has_ceiling(record_->head, contents)) {
    Record record = *record_;
    record.incarnation = contents.incarnation;
    return plan(std::move(record), false, contents, now);
  }
  const std::int64_t store_ms = *contents.store_ms;
  if (must_wait_to_jump(*record_, store_ms, tolerance_ms_)) {
    const bool early = store_ms < record_->head.topped_up_ms;
    return wait((early ? record_->head.topped_up_ms : record_->until_ms) - store_ms, kMayNotGoOnYet, now);
  }
  plan(jumped(*record_, store_ms, tolerance_ms_, contents.incarnation), true, contents, now);
}

void Machine::judge_room(const Contents& contents, Time now) {
  looked_ms_ = now.mono_ms;
  if (room_to_top(*record_) == 0) {
    return refuse(ErrorCode::range_exhausted,
                  "the counter has given out its last number" +
                      std::string(record_->head.period_label != 0 ? " of this period" : ""),
                  now);
  }
  const bool ceiling = has_ceiling(record_->head, contents);
  const std::int64_t store_ms = contents.store_ms.value_or(0);
  const std::int64_t age_ms = store_ms - record_->head.topped_up_ms;
  const bool due = ceiling && (record_->room == 0 || age_ms > (is_scarce() ? kScarceTopUpMs : kTopUpEveryMs));
  if (due) {
    Record record = topped_up(*record_, store_ms);
    if (record.room == 0) {
      return wait(std::min(ms_until_room(record, store_ms), record_->until_ms - store_ms),
                  "the counter gives out no more numbers in so short a time", now);
    }
    return plan(std::move(record), false, contents, now);
  }
  get_ready(now, kTopUpEveryMs - (ceiling ? std::max<std::int64_t>(age_ms, 0) : 0));
}

// Prepares the write of a head, if this host's clock is a second witness for the store's. No clock
// decides what is unique; but `base` never rises, so one wrong reading would hold the counter up
// for as long as it was wrong.
void Machine::plan(Record record, bool sets_next, const Contents& contents, Time now) {
  const bool reckons = has_ceiling(record_->head, contents) || sets_next;
  const std::int64_t off_ms = reckons ? skew_ms(*contents.store_ms, now) : 0;
  if (off_ms > kWitnessMs) {
    if (!sets_next && record_->room > 0) return get_ready(now, kTopUpEveryMs);
    return refuse(ErrorCode::clock_skew,
                  "this host's clock and the store's are " + std::to_string(off_ms) +
                      " ms apart, so that a wrong one might hold up the counter; " + std::to_string(kWitnessMs) +
                      " ms are tolerated",
                  now);
  }
  planned_ = WriteHead{};
  set_conditions(planned_);
  planned_.head_nonce = record_->head.nonce;
  planned_.sets_next = sets_next;
  planned_.room_change = static_cast<std::int64_t>(record.room - record_->room);
  record.head.nonce = random_.word();
  if (sets_next && keeps(Rule::head_writes_nonce)) record.nonce = random_.word();
  record.label = settings_.label;
  planned_.record = std::move(record);
  stage_ = Stage::write;
}

// The store's reading lies between sending and reply, so a slow answer alone does not count as
// skew.
std::int64_t Machine::skew_ms(std::int64_t store_ms, Time now) const {
  const std::int64_t behind_ms = store_ms - now.wall_ms;
  const std::int64_t ahead_ms = now.wall_ms - store_ms - (now.mono_ms - sent_.mono_ms);
  return std::max(behind_ms, ahead_ms);
}

// --- answers -------------------------------------------------------------------------------------

void Machine::answered_add(const Answer& answer, Outcome outcome, Time now) {
  if (outcome == Outcome::ok) return grant(answer, now);
  const bool unknown = outcome == Outcome::unknown;
  if (unknown && !keeps(Rule::unknown_is_forfeited)) return grant(expected_answer(), now);
  // An unknown add may have taken a range: it is a stranger's.
  refused_write(outcome, now);
}

void Machine::answered_head(Outcome outcome, Time now) {
  if (outcome != Outcome::ok) return refused_write(outcome, now);
  const bool jumps = planned_.sets_next && planned_.record.room == 0;
  if (jumps) {
    Action jumped;
    jumped.kind = Action::Kind::jumped;
    const std::uint64_t label = planned_.record.head.period_label;
    const bool same_period = label == record_->head.period_label;
    jumped.numbers = {same_period ? record_->next : 1, planned_.record.next, label};
    events_.push_back(std::move(jumped));
  }
  record_ = planned_.record;
  stage_ = Stage::look;
  // After a jump the room is topped up, which takes another look at the store's clock.
  look_at_ = now.mono_ms;
  if (jumps) return pause(now, kDoublingsAtConflict);
  rounds_ = 0;
  get_ready(now, kTopUpEveryMs);
}

// If another process wrote the head meanwhile, the last range alone may still be given back.
void Machine::answered_back(const Answer& answer) {
  done_ = !request_.back.whole || answer.outcome != Outcome::conflict || answer.echo != request_.back.echo;
  before_.reset();
}

void Machine::get_ready(Time now, std::int64_t look_in_ms) {
  stage_ = Stage::ready;
  watches_ = false;
  failure_.reset();
  look_again(now, look_in_ms);
}

// The counter is read, and nothing is repeated blindly.
void Machine::refused_write(Outcome outcome, Time now) {
  const bool unknown = outcome == Outcome::unknown;
  if (unknown) failure_ = Failure{ErrorCode::store_unavailable, "the store did not answer"};
  stage_ = Stage::look;
  pause(now, unknown ? kDoublingsAway : kDoublingsAtConflict);
}

void Machine::grant(const Answer& answer, Time now) {
  const Record& record = *record_;
  const std::uint64_t n = request_.add.n;
  const bool in_period = answer.first <= record.head.top && n - 1 <= record.head.top - answer.first;
  if (answer.first == 0 || !holds(Rule::number_in_period, in_period)) {
    return refuse(ErrorCode::store_misconfigured, "the store gave numbers that the counter does not have", now);
  }
  Numbers numbers{answer.first, answer.first + n, record.head.period_label};
  const bool rises = !kept_ || numbers.period_label > kept_->period_label ||
                     (numbers.period_label == kept_->period_label && numbers.first >= kept_->end);
  if (!rises) {
    return refuse_went_back("the counter gave out numbers from " + std::to_string(numbers.first) +
                                " on, and this process already has some up to " + std::to_string(kept_->end - 1),
                            now);
  }
  if (record.head.period_label != 0 && answer.store_ms) {
    // The store read its clock after the request was sent, so this is never late.
    numbers.drop_at_ms = sent_.mono_ms + (record.until_ms - *answer.store_ms);
  }
  const bool neighbours =
      last_ && last_->numbers.end == numbers.first && last_->numbers.period_label == numbers.period_label;
  before_ = neighbours ? last_ : std::nullopt;
  last_ = Added{request_.add.echo, numbers};
  kept_ = numbers;
  record_->next = numbers.end;
  record_->room = answer.room;
  stage_ = Stage::ready;
  rounds_ = 0;
  wish_.reset();
  failure_.reset();
  if (closing_) return;
  Action granted;
  granted.kind = Action::Kind::granted;
  granted.numbers = numbers;
  events_.push_back(std::move(granted));
}

// --- refusals and waits --------------------------------------------------------------------------

void Machine::refuse(ErrorCode code, std::string message, Time now) {
  failure_ = Failure{code, std::move(message)};
  stage_ = Stage::look;
  not_before_ = now.mono_ms + kRefusedMs;
  look_again(now, kTopUpEveryMs);
}

void Machine::refuse_went_back(const std::string& reason, Time now) {
  went_back_ = true;
  refuse(ErrorCode::store_went_back, reason + kOperatorsWord, now);
}

// Returns true if the store was put back to a former revision.
bool Machine::refuses_fall(std::optional<std::int64_t> revision, Time now) {
  if (!revision) return false;
  if (revision_ && *revision < *revision_) {
    refuse_went_back("the store's revision fell from " + std::to_string(*revision_) + " to " +
                         std::to_string(*revision) + ": it was restored from a snapshot",
                     now);
    return true;
  }
  revision_ = revision;
  return false;
}

// Waits for the store's clock.
void Machine::wait(std::int64_t ms, const std::string& reason, Time now) {
  failure_.reset();
  if (ms > settings_.timeout_ms) {
    failure_ = Failure{ErrorCode::clock_behind, reason + ": " + std::to_string(ms) + " ms are left" + kOperatorsWord};
  }
  stage_ = Stage::look;
  not_before_ = now.mono_ms + std::clamp<std::int64_t>(ms, 1, kRefusedMs);
  look_at_ = now.mono_ms + std::clamp<std::int64_t>(ms, 1, kTopUpEveryMs);
}

void Machine::look_again(Time now, std::int64_t in_ms) {
  look_at_ = now.mono_ms + in_ms + static_cast<std::int64_t>(random_.below(kJitterMs));
}

void Machine::pause(Time now, unsigned most_doublings) {
  const std::uint64_t longest_ms = std::uint64_t{1} << std::min(rounds_++, most_doublings);
  not_before_ = now.mono_ms + static_cast<std::int64_t>(random_.below(longest_ms));
}

}  // namespace polyflake::count
