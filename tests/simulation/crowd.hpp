// The processes of a schedule, and what happens to them in made-up time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulation/checker.hpp"
#include "simulation/dice.hpp"
#include "simulation/events.hpp"
#include "simulation/outcome.hpp"

namespace polyflake::simulation {

constexpr std::int64_t kBeginMs = 1'700'000'000'000;
constexpr std::size_t kHosts = 3;

template <class Process>
class Crowd {
 protected:
  struct Running {
    std::unique_ptr<Process> process;
    std::int64_t stopped_until_ms = 0;
  };

  // loss_percent: of messages, at first.
  Crowd(std::uint64_t seed, unsigned loss_percent) : dice_(seed), loss_percent_(loss_percent) {
    static Checker checker;
    checker_ = &checker;
    checker_->clear();
  }
  ~Crowd() = default;

  virtual void serve(std::uint64_t message) = 0;
  virtual void hand_over(std::uint64_t message) = 0;
  virtual void break_something() = 0;
  virtual void happen(const Event& event) = 0;  // one of the other kinds
  // The process does its next thing. Returns false if it ended.
  virtual bool go_on(Running& running) = 0;
  virtual void begin_process() = 0;
  // Returns how long the process does nothing then.
  virtual std::int64_t pause_ms() = 0;
  virtual std::int64_t delay_ms() = 0;  // of a message

  void at(std::int64_t at_ms, Event event) { events_.add(at_ms, event); }

  void run_until(std::int64_t end_ms) {
    while (outcome_.failure.empty() && events_.has_one_until(end_ms)) {
      const Event event = events_.take();
      now_ms_ = std::max(now_ms_, event.at_ms);
      switch (event.what) {
        case What::step:
        case What::wake: step(event.subject, event.what == What::step); break;
        case What::request: serve(event.subject); break;
        case What::reply: hand_over(event.subject); break;
        case What::fault: break_something(); break;
        case What::start: begin_process(); break;
        default: happen(event);
      }
    }
    now_ms_ = end_ms;
  }

  // The network loses and repeats messages, unless all is well.
  void travel(What what, std::uint64_t message) {
    const bool lost = !well_ && dice_.percent(loss_percent_);
    if (!lost) at(now_ms_ + delay_ms(), {what, message});
    if (!well_ && dice_.percent(copies_percent_)) at(now_ms_ + delay_ms(), {what, message});
  }

  Running* find(std::uint64_t serial) {
    for (Running& running : running_) {
      if (running.process->serial == serial) return &running;
    }
    return nullptr;
  }

  Running* any() { return running_.empty() ? nullptr : &running_[dice_.below(running_.size())]; }

  void adopt(std::unique_ptr<Process> process, std::int64_t in_ms) {
    at(now_ms_ + in_ms, {What::step, process->serial});
    running_.push_back({std::move(process), 0});
  }

  void stop_for(Running& one, std::int64_t ms) { one.stopped_until_ms = std::max(one.stopped_until_ms, now_ms_ + ms); }

  void erase(std::uint64_t serial) {
    running_.erase(std::remove_if(running_.begin(), running_.end(),
                                  [serial](const Running& running) { return running.process->serial == serial; }),
                   running_.end());
  }

  void check(std::uint64_t id, bool in_order) {
    if (!checker_->add(id)) fail(outcome_.duplicates, "an id twice");
    if (!in_order) fail(outcome_.disorders, "ids of one generator out of order");
  }

  void fail(std::uint64_t& count, const char* what) {
    ++count;
    if (outcome_.failure.empty()) outcome_.failure = what;
  }

  std::size_t ids() const { return checker_->count(); }

  Dice dice_;
  std::int64_t now_ms_ = kBeginMs;
  bool well_ = false;
  unsigned loss_percent_;
  unsigned copies_percent_ = 5;  // of messages
  Outcome outcome_;
  std::vector<Running> running_;

 private:
  // `again`: it is one of a row; else a reply woke the process.
  void step(std::uint64_t serial, bool again) {
    Running* const running = find(serial);
    if (running == nullptr) return;
    if (now_ms_ < running->stopped_until_ms) {
      if (again) at(running->stopped_until_ms, {What::step, serial});
    } else if (go_on(*running) && again) {
      at(now_ms_ + pause_ms(), {What::step, serial});
    }
  }

  Checker* checker_;
  Events events_;
};

}  // namespace polyflake::simulation
