// A process that uses numbers at a steady rate, in made-up time: how often it asks its store, and
// whether a call has to wait.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "count/supply.hpp"
#include "counter_by_hand.hpp"

namespace polyflake::count::by_hand {

class SteadyUse {
 public:
  static constexpr AdaptiveStep::Limits kLimits{};

  explicit SteadyUse(std::uint64_t numbers_per_s) : numbers_per_s_(numbers_per_s) {}

  void run(std::int64_t ms) {
    for (const std::int64_t end_ms = store_.now_ms + ms; store_.now_ms < end_ms;) run_ms();
  }

  // Runs until the next ms would ask for a range.
  void run_until_low() {
    const std::uint64_t of_a_ms = numbers_per_s_ / 1000;
    while (2 * (supply_.held() - of_a_ms) > supply_.step()) run_ms();
  }

  void be_away(bool away) { away_ = away; }

  std::uint64_t calls() const { return calls_; }
  std::uint64_t waits() const { return waits_; }  // calls that found nothing held
  std::uint64_t waiting() const { return waiting_; }
  std::uint64_t held() const { return supply_.held(); }
  std::uint64_t fetches() const { return supply_.fetches(); }
  std::uint64_t requests() const { return requests_; }  // fetches, looks at the counter, and top-ups
  std::optional<ErrorCode> code() const { return process_.code(); }

 private:
  static constexpr std::int64_t kReplyMs = 20;     // of the store
  static constexpr std::int64_t kAnswerMs = 1000;  // the longest wait for a reply

  void run_ms() {
    ++store_.now_ms;
    answer();
    due_ += numbers_per_s_;
    call(due_ / 1000);
    due_ %= 1000;
    if (const auto step = supply_.due_step(waiting_, store_.now_ms)) process_.machine.take(*step, waiting_);
    ask();
  }

  void call(std::uint64_t count) {
    calls_ += count;
    const std::uint64_t left = take(waiting_ + count);
    if (left > waiting_) waits_ += left - waiting_;
    waiting_ = left;
  }

  // Returns how many numbers were not there.
  std::uint64_t take(std::uint64_t count) {
    do {
      while (const std::uint64_t taken = supply_.word().take_some(count).count) count -= taken;
    } while (count > 0 && supply_.serve());
    return count;
  }

  // Sends what the machine wants to do, unless it awaits a reply.
  void ask() {
    while (!asked_) {
      Action action = process_.machine.poll(process_.time());
      if (action.kind == Action::Kind::sleep) return;
      if (action.kind == Action::Kind::granted) {
        supply_.add(action.numbers);
      } else {
        ++requests_;
        asked_ = std::move(action);
        reply_at_ms_ = store_.now_ms + (away_ ? kAnswerMs : kReplyMs);
      }
    }
  }

  void answer() {
    if (!asked_ || store_.now_ms < reply_at_ms_) return;
    const Action action = *std::exchange(asked_, std::nullopt);
    process_.cut_off = away_;
    if (away_) process_.machine.deliver_nothing(action.number, "no answer", process_.time());
    else if (action.kind == Action::Kind::read)
      process_.machine.deliver(action.number, store_.contents(), process_.time());
    else if (action.kind == Action::Kind::add) process_.carry_out(action.number, action.add);
    else process_.carry_out(action.number, action.head);
    ask();
  }

  const std::uint64_t numbers_per_s_;
  FakeStore store_;
  Process process_{store_};
  Supply supply_{AdaptiveStep(kLimits), kBeginMs};
  std::optional<Action> asked_;
  std::int64_t reply_at_ms_ = 0;
  bool away_ = false;
  std::uint64_t due_ = 0;  // in thousandths of a number
  std::uint64_t calls_ = 0, waits_ = 0, waiting_ = 0, requests_ = 0;
};

}  // namespace polyflake::count::by_hand
