#include "simulation/counter_process.hpp"

#include <algorithm>
#include <utility>

#include "count/rules.hpp"
#include "simulation/serials.hpp"

namespace polyflake::simulation {
namespace {

count::Settings settings_of(const CounterUse& use) {
  count::Settings settings;
  settings.counter = "simulation";
  settings.shape = use.shape;
  settings.period_of = use.period_of;
  return settings;
}

}  // namespace

CounterProcess::CounterProcess(std::size_t host, const HostClock& clock, const std::int64_t& true_ms, Dice& dice,
                               Outside& outside, const CounterUse& use)
    : serial(next_serial()),
      host_(host),
      clock_(clock),
      true_ms_(true_ms),
      dice_(dice),
      outside_(outside),
      use_(use),
      machine_(settings_of(use), dice),
      held_(make_held(0)) {}

std::shared_ptr<CounterProcess::Held> CounterProcess::make_held(std::uint64_t period_label) const {
  constexpr count::AdaptiveStep::Limits kLimits{3000, 4, 200};
  return std::make_shared<Held>(count::AdaptiveStep(kLimits, use_.step), true_ms_, period_label);
}

void CounterProcess::step(bool pauses) {
  while (!gone_ && run() && (!pauses || dice_.percent(70))) {
  }
  if (!gone_) call();
}

void CounterProcess::close() {
  if (std::exchange(closing_, true)) return;
  Range& word = held_->supply.word();
  // With a word that is not frozen callers go on meanwhile.
  machine_.close(std::max(held_->first, keeps(count::Rule::freeze_before_return) ? word.freeze() : word.take()));
}

// --- the runner ----------------------------------------------------------------------------------

// One thing of the runner; false if there is nothing to do now.
bool CounterProcess::run() {
  if (!inbox_.empty()) {
    deliver(inbox_.front());
    inbox_.pop_front();
    return true;
  }
  if (awaited_ != 0 && true_ms_ >= gives_up_ms_) {
    machine_.deliver_nothing(std::exchange(awaited_, 0), "no answer", time());
    return true;
  }
  const count::Action action = machine_.poll(time());
  switch (action.kind) {
    case count::Action::Kind::sleep: return false;
    case count::Action::Kind::done: gone_ = true; return false;
    case count::Action::Kind::granted: grant(action.numbers); return true;
    case count::Action::Kind::jumped: return true;
    default: break;
  }
  awaited_ = action.number;
  gives_up_ms_ = true_ms_ + kAnswerMs;
  outside_.send(*this, action);
  return true;
}

// Also a late one, and a second copy: the machine knows which it awaits.
void CounterProcess::deliver(const CounterReply& reply) {
  if (reply.number == awaited_) awaited_ = 0;
  if (reply.contents) machine_.deliver(reply.number, *reply.contents, time());
  if (reply.answer) machine_.deliver(reply.number, *reply.answer, time());
}

void CounterProcess::grant(const count::Numbers& numbers) {
  if (closing_) return;  // what is held was frozen
  if (held_->period_label != numbers.period_label) held_ = make_held(numbers.period_label);
  held_->drop_at_ms = numbers.drop_at_ms;
  held_->supply.add(numbers);
}

// --- callers -------------------------------------------------------------------------------------

void CounterProcess::call() {
  finish_half();
  if (closing_ && keeps(count::Rule::freeze_before_return)) return;
  if (true_ms_ >= held_->drop_at_ms) drop();
  begin_half();
  std::uint64_t waiting = dice_.below(use_.numbers + 1);
  while (waiting > 0 && call_once()) --waiting;
  if (!closing_) ask(waiting);
}

// As SegmentSession::next_id(). Returns false if nothing is held: the call waits then, with the number that it took.
bool CounterProcess::call_once() {
  Range& word = held_->supply.word();
  std::uint64_t number = held_->taken ? *std::exchange(held_->taken, std::nullopt) : word.take();
  while (!word.holds(number)) {
    const bool served = held_->supply.serve();
    if (served && !word.holds(number)) number = word.take();
    if (served) continue;
    held_->taken = number;
    return false;
  }
  issue(*held_, number, true);
  return true;
}

// Drops the rest of a period. A new word knows nothing of what the former one gave out.
void CounterProcess::drop() {
  const std::uint64_t first = std::max(held_->first, held_->supply.word().freeze());
  held_ = make_held(held_->period_label);
  held_->first = first;
}

void CounterProcess::ask(std::uint64_t waiting) {
  if (const auto step = held_->supply.due_step(waiting, true_ms_)) machine_.take(*step, waiting);
}

void CounterProcess::begin_half() {
  if (half_.held == nullptr && held_->supply.held() > 0 && dice_.percent(20))
    half_ = {held_, held_->supply.word().take()};
}

void CounterProcess::finish_half() {
  if (half_.held == nullptr || dice_.percent(60)) return;
  const Half half = std::exchange(half_, Half{});
  // It began before others that are done by now, so it is in no order with them.
  if (half.held->supply.word().holds(half.number)) issue(*half.held, half.number, false);
}

void CounterProcess::issue(const Held& held, std::uint64_t number, bool in_order) {
  const bool rises = held.period_label != last_label_ ? held.period_label > last_label_ : number > last_number_;
  if (rises) {
    last_label_ = held.period_label;
    last_number_ = number;
  }
  ++issued_;
  outside_.issued(*this, held.period_label, number, rises || !in_order);
}

}  // namespace polyflake::simulation
