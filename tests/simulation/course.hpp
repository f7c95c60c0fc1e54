// The common part of schedules: processes, and what happens to them in made-up time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "simulation/checker.hpp"
#include "simulation/process.hpp"
#include "simulation/schedule.hpp"
#include "simulation/transcript.hpp"

namespace polyflake::simulation {

constexpr std::int64_t kBeginMs = 1'700'000'000'000;
constexpr std::size_t kHosts = 3;
// A quarantine and some rounds, after a request that the store never answers.
constexpr std::int64_t kRecoveryMs = kWindowMs + 2 * kToleranceMs + kWindowMs / 10 + kGiveUpMs;

class Course : public Process::Outside {
 protected:
  enum class What {
    step,
    wake,
    start,
    request,
    reply,
    fault,
    promotion,  // this and the others are of one kind of schedule each
    heal,
    interlude,
    failover,
    replicate,
    relink,
    bounce
  };
  struct Event {
    What what;
    std::uint64_t subject = 0;  // serial of a process, or number of another thing
    std::int64_t at_ms = 0;
    std::uint64_t order = 0;
    bool operator<(const Event& other) const {
      return at_ms != other.at_ms ? at_ms > other.at_ms : order > other.order;
    }
  };
  struct Running {
    std::unique_ptr<Process> process;
    std::int64_t stopped_until_ms = 0;
  };

  // loss_percent: of messages, at first.
  Course(std::uint64_t seed, bool told, unsigned loss_percent)
      : dice_(seed), transcript_(told, now_ms_), loss_percent_(loss_percent) {
    static Checker checker;
    checker_ = &checker;
    checker_->clear();
  }

  virtual void serve(std::uint64_t message) = 0;
  virtual void hand_over(std::uint64_t message) = 0;
  virtual void break_something() = 0;
  virtual void happen(const Event& event) = 0;  // one of the other kinds
  // The process does its next thing. Returns false if it ended.
  virtual bool go_on(Running& running) = 0;
  virtual void begin_process() = 0;
  virtual void set_clocks() = 0;
  // Returns true if all node ids may have been held: then each still is, or its next window begins after a quarantine.
  virtual bool few_are_left() const = 0;
  // Returns true if processes need not issue, though all else is well.
  virtual bool all_may_be_stuck() const = 0;

  void at(std::int64_t at_ms, Event event) {
    event.at_ms = at_ms;
    event.order = ++order_;
    events_.push(event);
  }

  void run_until(std::int64_t end_ms) {
    while (!events_.empty() && events_.top().at_ms <= end_ms && outcome_.failure.empty()) {
      const Event event = events_.top();
      events_.pop();
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

  // From now on all is well: soon everybody has to issue.
  Outcome run_to_the_end() {
    const std::int64_t end_ms = now_ms_ + kRecoveryMs;
    transcript_.add("all is well");
    well_ = true;
    loss_percent_ = 0;
    set_clocks();
    for (Running& running : running_) running.stopped_until_ms = 0;
    if (running_.empty()) begin_process();
    for (Running& running : running_) at(now_ms_, {What::step, running.process->serial});
    run_until(end_ms);
    // If few are left, a window ends first: a former one of the process itself, or one that no process took.
    if (few_are_left() && some_are_stuck()) run_until(end_ms + kWindowMs);
    if (some_are_stuck()) fail(outcome_.stuck, "no ids after all was well again");
    outcome_.ids = checker_->count();
    running_.clear();  // while their hosts are there
    return outcome_;
  }

  void adopt(std::unique_ptr<Process> process) {
    at(now_ms_ + dice_.between(0, kWindowMs / 20), {What::step, process->serial});
    running_.push_back({std::move(process), 0});
  }

  Running* find(std::uint64_t serial) {
    for (Running& running : running_) {
      if (running.process->serial == serial) return &running;
    }
    return nullptr;
  }

  Running* any() { return running_.empty() ? nullptr : &running_[dice_.below(running_.size())]; }

  void stop(Running& one) { stop_for(one, dice_.between(1, dice_.percent(50) ? kWindowMs / 4 : 2 * kWindowMs)); }

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

  // Makes a namespace in a store of this incarnation.
  lease::Cas namespace_request(const std::string& incarnation) {
    lease::NamespaceRecord space;
    space.uuid = dice_.word();
    space.nonce = dice_.word();
    space.term = dice_.word();
    space.layout = layout().fingerprint();
    space.window_ms = kWindowMs;
    space.tolerance_ms = kToleranceMs;
    space.settled = true;
    space.incarnation = incarnation;
    lease::Cas request;
    request.makes_namespace = true;
    request.layout = space.layout;
    request.incarnation = incarnation;
    request.space = space;
    return request;
  }

  Dice dice_;
  std::int64_t now_ms_ = kBeginMs;
  const Transcript transcript_;
  bool well_ = false;
  unsigned loss_percent_;
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
      at(now_ms_ + dice_.between(1, kWindowMs / (well_ ? 40 : 20)), {What::step, serial});
    }
  }

  bool some_are_stuck() const {
    return outcome_.failure.empty() && !all_may_be_stuck() &&
           std::any_of(running_.begin(), running_.end(), [](const Running& running) {
             return !running.process->releasing() && !running.process->issues();
           });
  }

  std::uint64_t next_execution() override { return ++executions_; }

  Checker* checker_;
  std::uint64_t executions_ = 0;
  std::uint64_t order_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace polyflake::simulation
