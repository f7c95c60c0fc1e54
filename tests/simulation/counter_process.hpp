// A process of a schedule of counters: the real counter machine, supply and range word, driven as
// the runner of a source drives them.
//
// Its callers take numbers one by one, and one of them is stopped in the middle of taking one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "count/machine.hpp"
#include "count/supply.hpp"
#include "simulation/dice.hpp"
#include "simulation/host_clock.hpp"

namespace polyflake::simulation {

constexpr std::int64_t kAnswerMs = 1000;  // the longest wait for one

struct CounterReply {
  std::uint64_t number = 0;  // of the request
  std::optional<count::Contents> contents;
  std::optional<count::Answer> answer;
};

// The processes of a schedule, which open and use the counter.
struct CounterUse {
  count::Shape shape;
  count::PeriodOf period_of;
  std::optional<std::uint64_t> step;  // nothing: adaptive
  std::uint64_t numbers;              // at most so many at once
};

class CounterProcess {
 public:
  class Outside {
   public:
    virtual ~Outside() = default;
    virtual void send(CounterProcess& process, const count::Action& action) = 0;
    virtual void issued(CounterProcess& process, std::uint64_t period_label, std::uint64_t number, bool in_order) = 0;
  };

  CounterProcess(std::size_t host, const HostClock& clock, const std::int64_t& true_ms, Dice& dice, Outside& outside,
                 const CounterUse& use);

  // Does what the runner has to do, and what callers ask for. pauses: it may be stopped between any two things.
  void step(bool pauses);
  void receive(const CounterReply& reply) { inbox_.push_back(reply); }
  void close();

  std::size_t host() const { return host_; }
  bool closing() const { return closing_; }
  bool gone() const { return gone_; }
  std::uint64_t issued() const { return issued_; }
  std::optional<ErrorCode> failure() const {
    return machine_.failure() ? std::optional(machine_.failure()->code) : std::nullopt;
  }

  const std::uint64_t serial;

 private:
  // The numbers held of one period.
  struct Held {
    Held(const count::AdaptiveStep& step, std::int64_t now_ms, std::uint64_t label)
        : supply(step, now_ms), period_label(label) {}
    count::Supply supply;
    const std::uint64_t period_label;
    std::int64_t drop_at_ms = INT64_MAX;
    std::uint64_t first = 0;             // no number below it is unused
    std::optional<std::uint64_t> taken;  // by a call that waits until it is held
  };

  lease::Time time() const { return {clock_.now_ms(), true_ms_}; }
  bool run();
  void deliver(const CounterReply& reply);
  void grant(const count::Numbers& numbers);
  void call();
  bool call_once();
  void drop();
  void ask(std::uint64_t waiting);
  void begin_half();
  void finish_half();
  void issue(const Held& held, std::uint64_t number, bool in_order);
  std::shared_ptr<Held> make_held(std::uint64_t period_label) const;

  const std::size_t host_;
  const HostClock& clock_;
  const std::int64_t& true_ms_;
  Dice& dice_;
  Outside& outside_;
  const CounterUse& use_;
  count::Machine machine_;
  std::shared_ptr<Held> held_;
  std::deque<CounterReply> inbox_;
  std::uint64_t awaited_ = 0;  // number of the request; 0: none
  std::int64_t gives_up_ms_ = 0;
  bool closing_ = false;
  bool gone_ = false;
  std::uint64_t issued_ = 0;
  std::uint64_t last_label_ = 0, last_number_ = 0;

  // A number that a thread took and has not looked at yet.
  struct Half {
    std::shared_ptr<Held> held;
    std::uint64_t number = 0;
  } half_;
};

}  // namespace polyflake::simulation
