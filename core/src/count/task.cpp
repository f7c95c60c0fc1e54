#include "count/task.hpp"

#include <polyflake/error.hpp>

#include <utility>

#include "count/heads.hpp"

namespace polyflake::count {
namespace {

constexpr int kRounds = 20;
constexpr std::int64_t kPauseMs = 100;

void check_shape(const Head& wanted, const Head& found) {
  if (shape_of(wanted) == shape_of(found)) return;
  throw Error(ErrorCode::layout_mismatch, "there is a counter of this name, and it is " + shown(shape_of(found)) +
                                              ", not " + shown(shape_of(wanted)));
}

}  // namespace

Task::Task(std::string counter, PeriodsOf periods_of, std::string label, Random& random)
    : random_(random), counter_(std::move(counter)), periods_of_(std::move(periods_of)), label_(std::move(label)) {
  check_name(counter_);
}

Action Task::next(Time now) {
  Action action;
  if (pauses_) not_before_ms_ = now.mono_ms + kPauseMs;
  pauses_ = false;
  if (done_) {
    action.kind = Action::Kind::done;
  } else if (now.mono_ms < not_before_ms_) {
    action.mono_ms = not_before_ms_;
  } else if (planned_) {
    action.kind = Action::Kind::head;
    action.head = *planned_;
  } else {
    action.kind = Action::Kind::read;
  }
  return action;
}

void Task::deliver(const Contents& contents) {
  answered_ = true;
  if (!contents.space) throw Error(ErrorCode::namespace_not_initialised, kNoNamespace);
  if (!contents.misconfigured.empty()) throw Error(ErrorCode::store_misconfigured, contents.misconfigured);
  auto record = wanted(contents);
  done_ = !record;
  if (record) plan(std::move(*record), contents);
}

void Task::deliver(const Answer& answer) {
  const bool ours = answer.echo == planned_->echo;
  done_ = ours && answer.outcome == Outcome::ok;
  planned_.reset();
  if (!done_) count_round("the store did not confirm the counter");
}

void Task::deliver_nothing(const std::string& reason) {
  if (!answered_) throw Error(ErrorCode::store_unavailable, reason);
  planned_.reset();
  count_round(reason);
}

void Task::count_round(const std::string& reason) {
  if (++rounds_ > kRounds) throw Error(ErrorCode::store_unavailable, reason);
  pauses_ = true;
}

void Task::plan(Record record, const Contents& contents) {
  WriteHead head;
  head.counter = counter_;
  head.echo = random_.word();
  head.uuid = contents.space->uuid;
  head.incarnation = contents.incarnation;
  if (contents.record) {
    head.term = contents.record->term;
    head.head_nonce = contents.record->head.nonce;
  }
  record.head.nonce = random_.word();
  record.nonce = random_.word();
  record.term = random_.word();
  record.label = label_;
  head.record = std::move(record);
  head.sets_next = true;
  planned_ = std::move(head);
}

std::optional<Period> Task::period_now(const Head& head, const Contents& contents) const {
  if (head.kind != "date") return std::nullopt;
  if (!contents.store_ms) throw Error(ErrorCode::option_invalid, "a date needs a store with a clock");
  const auto period = periods_of_(shape_of(head))(*contents.store_ms);
  if (!period) throw Error(ErrorCode::time_exhausted, "the store's clock shows a time without a period");
  return period;
}

Record Task::set(const Record& record, std::uint64_t after, const Contents& contents) const {
  check_after(after, record.head.top);
  return set_by_operator(record, after, period_now(record.head, contents), contents.store_ms.value_or(0),
                         has_ceiling(record.head, contents), contents.incarnation);
}

// --- make ----------------------------------------------------------------------------------------

InitTask::InitTask(std::string counter, std::uint64_t after, const CounterOptions& options, PeriodsOf periods_of,
                   std::string label, Random& random)
    : Task(std::move(counter), std::move(periods_of), std::move(label), random),
      after_(after),
      head_(head_of(options, after)) {}

std::optional<Record> InitTask::wanted(const Contents& contents) {
  if (contents.record) {
    check_shape(head_, contents.record->head);
    return std::nullopt;
  }
  Record record;
  record.head = head_;
  return set(record, after_, contents);
}

// --- set -----------------------------------------------------------------------------------------

RaiseTask::RaiseTask(std::string counter, std::uint64_t after, std::optional<std::uint64_t> period_label,
                     PeriodsOf periods_of, std::string label, Random& random)
    : Task(std::move(counter), std::move(periods_of), std::move(label), random),
      after_(after),
      period_label_(period_label) {}

std::optional<Record> RaiseTask::wanted(const Contents& contents) {
  if (!contents.record) {
    throw Error(ErrorCode::namespace_not_initialised,
                "there is no such counter in the namespace: init_counter makes it");
  }
  check_period(contents.record->head, contents);
  return set(*contents.record, after_, contents);
}

// Nothing is said of any other period: numbers of the present one may have been given out since it
// began.
void RaiseTask::check_period(const Head& head, const Contents& contents) const {
  const auto period = period_now(head, contents);
  if (period && period->label < head.period_label) {
    throw Error(ErrorCode::option_invalid,
                "the counter has begun " + std::to_string(head.period_label) +
                    ", and by the store's clock it is still " + std::to_string(period->label) +
                    ": set now, it would give its numbers again when that begins. Wait until then, or make "
                    "another counter");
  }
  if (!period_label_) return;
  if (period && *period_label_ == period->label) return;
  throw Error(ErrorCode::option_invalid,
              std::to_string(*period_label_) +
                  (period ? " is not the present period by the store's clock, which is " + std::to_string(period->label)
                          : " is a period, and a segment has none"));
}

}  // namespace polyflake::count
