// The common part of schedules of leases.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "simulation/crowd.hpp"
#include "simulation/process.hpp"
#include "simulation/schedule.hpp"
#include "simulation/transcript.hpp"

namespace polyflake::simulation {

// A quarantine and some rounds, after a request that the store never answers.
constexpr std::int64_t kRecoveryMs = kWindowMs + 2 * kToleranceMs + kWindowMs / 10 + kGiveUpMs;

class Course : public Process::Outside, protected Crowd<Process> {
 protected:
  // loss_percent: of messages, at first.
  Course(std::uint64_t seed, bool told, unsigned loss_percent)
      : Crowd(seed, loss_percent), transcript_(told, now_ms_) {}

  virtual void set_clocks() = 0;
  // Returns true if all node ids may have been held: then each still is, or its next window begins after a quarantine.
  virtual bool few_are_left() const = 0;
  // Returns true if processes need not issue, though all else is well.
  virtual bool all_may_be_stuck() const = 0;

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
    outcome_.ids = ids();
    running_.clear();  // while their hosts are there
    return outcome_;
  }

  void adopt(std::unique_ptr<Process> process) { Crowd::adopt(std::move(process), dice_.between(0, kWindowMs / 20)); }

  void stop(Running& one) { stop_for(one, dice_.between(1, dice_.percent(50) ? kWindowMs / 4 : 2 * kWindowMs)); }

  std::int64_t pause_ms() override { return dice_.between(1, kWindowMs / (well_ ? 40 : 20)); }

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

  const Transcript transcript_;

 private:
  bool some_are_stuck() const {
    return outcome_.failure.empty() && !all_may_be_stuck() &&
           std::any_of(running_.begin(), running_.end(), [](const Running& running) {
             return !running.process->releasing() && !running.process->issues();
           });
  }

  std::uint64_t next_execution() override { return ++executions_; }

  std::uint64_t executions_ = 0;
};

}  // namespace polyflake::simulation
