// The steps of a counter; machine_replies.cpp judges what the store answers.
#include "count/machine.hpp"

#include <algorithm>
#include <utility>

#include "count/rules.hpp"

namespace polyflake::count {
namespace {

constexpr std::int64_t kLongestSleepMs = 60'000;
constexpr std::uint64_t kShares = 8;  // of the room: a process takes one, unless its callers wait for more

Action sleep_until(std::int64_t mono_ms) {
  Action action;
  action.mono_ms = mono_ms;
  return action;
}

// Returns how many numbers to ask for, so that one process does not take all if there are few.
std::uint64_t share(std::uint64_t step, std::uint64_t waiting, std::uint64_t room) {
  return std::min(std::max(step, waiting), std::max(std::min(waiting, room), room / kShares));
}

}  // namespace

Machine::Machine(Settings settings, Random& random) : settings_(std::move(settings)), random_(random) {}

void Machine::take(std::uint64_t step, std::uint64_t waiting) { wish_ = Wish{step, waiting}; }

void Machine::still_waiting(std::uint64_t waiting) {
  if (wish_) wish_->waiting = waiting;
}

void Machine::look() {
  wish_.reset();
  watches_ = true;
}

void Machine::close(std::uint64_t first_unused) {
  if (closing_) return;
  closing_ = first_unused;
  not_before_ = INT64_MIN;
  // The range of an add that is under way is given back, too. No other answer matters any more.
  if (request_.kind != Action::Kind::add) awaiting_ = false;
}

// --- the next action -----------------------------------------------------------------------------

Action Machine::poll(Time now) {
  if (!events_.empty()) {
    Action first = std::move(events_.front());
    events_.erase(events_.begin());
    return first;
  }
  if (done_) {
    Action done;
    done.kind = Action::Kind::done;
    return done;
  }
  if (awaiting_) return sleep_until(now.mono_ms + kLongestSleepMs);
  if (closing_) return give_back(now);
  if (now.mono_ms < not_before_) return sleep_until(not_before_);
  return next_request(now);
}

Action Machine::next_request(Time now) {
  if (stage_ == Stage::write) return write_head(now);
  const bool watches = watches_ && stage_ == Stage::look;
  const bool is_idle = !wish_ && !watches && now.mono_ms < look_at_;
  // A caller who is refused asks for a look, and may not wake the runner: its call ends by an error.
  const bool is_refused = failure_ && failure_->code != ErrorCode::store_unavailable;
  if (is_idle) return sleep_until(std::min(look_at_, now.mono_ms + (is_refused ? kRefusedMs : kLongestSleepMs)));
  return must_look(now) ? read(now) : add(now);
}

bool Machine::must_look(Time now) const {
  if (stage_ == Stage::look || now.mono_ms >= look_at_ || record_->room == 0) return true;
  return is_scarce() && now.mono_ms - looked_ms_ >= kScarceTopUpMs;
}

// Returns true if the room limits what is taken.
bool Machine::is_scarce() const { return wish_ && wish_->step > record_->room / kShares; }

Action Machine::send(Action action, Time now) {
  action.number = ++number_;
  awaiting_ = true;
  sent_ = now;
  request_ = action;
  return action;
}

void Machine::set_conditions(Request& request) {
  request.counter = settings_.counter;
  request.echo = random_.word();
  request.uuid = uuid_;
  request.term = record_->term;
  request.incarnation = incarnation_;
}

Action Machine::read(Time now) {
  Action action;
  action.kind = Action::Kind::read;
  return send(std::move(action), now);
}

Action Machine::add(Time now) {
  Action action;
  action.kind = Action::Kind::add;
  action.add.n = share(wish_->step, wish_->waiting, record_->room);
  if (action.add.n == 0) {
    wish_.reset();  // too few to take some ahead of need
    return sleep_until(now.mono_ms + 1);
  }
  set_conditions(action.add);
  action.add.until_ms = record_->until_ms;
  return send(std::move(action), now);
}

Action Machine::write_head(Time now) {
  Action action;
  action.kind = Action::Kind::head;
  action.head = planned_;
  return send(std::move(action), now);
}

// Returns how many of the last numbers are unused, in one piece up to the end of the last add.
std::uint64_t Machine::returnable() const {
  if (!last_) return 0;
  const std::uint64_t one_piece = before_ ? before_->numbers.first : last_->numbers.first;
  const std::uint64_t first = keeps(Rule::return_of_one_piece) ? one_piece : 0;
  return last_->numbers.end - std::clamp(*closing_, first, last_->numbers.end);
}

Action Machine::give_back(Time now) {
  const std::uint64_t n = returnable();
  if (n == 0) {
    done_ = true;
    return poll(now);
  }
  Action action;
  action.kind = Action::Kind::back;
  set_conditions(action.back);
  action.back.nonce = last_->nonce;
  action.back.n = n;
  if (n > last_->numbers.end - last_->numbers.first) action.back.whole = {record_->head.nonce, last_->numbers.end};
  return send(std::move(action), now);
}

// Returns what the store answers to the add if no other process took numbers meanwhile: a guess,
// which no rule allows.
Answer Machine::expected_answer() const {
  return {Outcome::ok, request_.add.echo, record_->next, record_->room - request_.add.n};
}

// --- results -------------------------------------------------------------------------------------

void Machine::deliver(std::uint64_t number, const Contents& contents, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  stage_ = Stage::look;
  if (accept(contents, now)) judge(contents, now);
}

void Machine::deliver(std::uint64_t number, const Answer& answer, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  if (request_.kind == Action::Kind::back) return answered_back(answer);
  const Word& echo = request_.kind == Action::Kind::add ? request_.add.echo : request_.head.echo;
  // An answer with another echo belongs to another request.
  const Outcome outcome = answer.echo == echo ? answer.outcome : Outcome::unknown;
  if (outcome == Outcome::unknown) ++failures_;
  if (outcome != Outcome::unknown && refuses_fall(answer.revision, now)) return;
  if (request_.kind == Action::Kind::add) answered_add(answer, outcome, now);
  if (request_.kind == Action::Kind::head) answered_head(outcome, now);
}

void Machine::deliver_nothing(std::uint64_t number, const std::string& reason, Time now) {
  if (!awaiting_ || number != number_) return;
  awaiting_ = false;
  done_ = request_.kind == Action::Kind::back;
  ++failures_;
  failure_ = Failure{ErrorCode::store_unavailable, reason};
  if (request_.kind == Action::Kind::add && !keeps(Rule::unknown_is_forfeited)) return grant(expected_answer(), now);
  // An add may have taken a range: it is a stranger's now. After any other write the counter is
  // read.
  stage_ = Stage::look;
  pause(now, kDoublingsAway);
}

}  // namespace polyflake::count
