// A process of a schedule: the real lease machine, nodes and generator, over a clock and an execution of its own.
//
// Its runner does one thing a step (take a reply, read the clock, deliver, poll, send), so that it can be stopped between any
// two. Ids come from the real generator, and from a second thread that is stopped in the middle of taking one.
#pragma once

#include <polyflake/claims.hpp>
#include <polyflake/generator.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lease/held_node_id.hpp"
#include "lease/leased_node.hpp"
#include "simulation/dice.hpp"
#include "simulation/host_clock.hpp"

namespace polyflake::simulation {

constexpr std::int64_t kWindowMs = 4000;
constexpr std::int64_t kToleranceMs = 200;
constexpr std::int64_t kGiveUpMs = kWindowMs / 4;  // on a reply

// 16 ids a tick and at most 8 node ids, so that both run out; ticks so long that whoever has the same window has the same tick soon.
const Layout& layout();

struct Reply {
  std::uint64_t number = 0;
  std::optional<lease::Contents> contents;
  std::optional<lease::Answer> answer;
};

// How the processes of a schedule open.
struct Opening {
  bool makes_namespace;
  std::uint64_t capacity;  // node ids
};

class Process {
 public:
  // What it does outside of itself.
  class Outside {
   public:
    virtual ~Outside() = default;
    // number: for the reply.
    virtual void send(Process& process, std::uint64_t number, const lease::Action& action) = 0;
    virtual void issued(Process& process, std::uint64_t id, bool in_order_with_others) = 0;
    // The process is copied at this very moment, in the middle of adopting a window.
    virtual bool copies_now() = 0;
    virtual std::uint64_t next_execution() = 0;
  };

  Process(int host, HostClock& clock, const std::int64_t& true_ms, Dice& dice, Outside& outside, Opening opening);
  // A copy of it: its memory, but another execution.
  Process(Process& original, Outside& outside);
  // The original itself, where `copy` is what became of it: this one is that execution.
  Process(Process& copy, Outside& outside, std::uint64_t execution);
  ~Process();

  // `pauses`: it may be stopped between any two things it does.
  void step(bool pauses);
  void receive(Reply reply) {
    if (reply.number == awaited_) inbox_ = std::move(reply);
  }
  void release();
  void renew();  // ahead of need

  int host() const { return host_; }
  bool gone() const { return gone_; }
  bool releasing() const { return releasing_; }
  // It was told that the store's revision fell, and nothing that ends this.
  bool has_to_stop() const { return stopped_; }
  bool issues();                                                // an id can be had now, or was
  bool in_the_middle() const { return phase_ != Phase::idle; }  // of what its runner does
  bool is_about_to_write_space() const {
    return phase_ == Phase::sending && to_send_.kind == lease::Action::Kind::cas && !to_send_.cas.node;
  }
  bool is_about_to_create() const {
    return phase_ == Phase::sending && to_send_.kind == lease::Action::Kind::cas && to_send_.cas.node &&
           !to_send_.cas.node_nonce;
  }
  // Where another process went on as the original while this one became its copy.
  std::unique_ptr<Process> take_original() { return std::move(original_); }

  std::uint64_t last_position = 0;
  const std::uint64_t serial;  // so that a reply finds only who asked

 private:
  enum class Phase { idle, received, timed, polling, polled, sending };

  lease::ProcessHooks hooks();
  Node& node(std::uint64_t id);
  void copy_memory(Process& original, std::uint64_t execution);
  void begin_anew();
  bool run();
  bool poll();
  bool follow_action();
  void note_revision();
  void issue();
  void begin_half();
  void finish_half();
  lease::Time time() const { return {clock_.now_ms(), true_ms_}; }

  const int host_;
  HostClock& clock_;
  const std::int64_t& true_ms_;
  Dice& dice_;
  Outside& outside_;
  const Opening opening_;
  bool gone_ = false;
  bool releasing_ = false;
  bool adopting_ = false;
  std::uint64_t copied_from_ = 0;

  std::atomic<std::uint64_t> word_{0};
  std::map<std::uint64_t, std::unique_ptr<Node>> nodes_;
  std::unique_ptr<lease::HeldNodeId> held_;
  std::vector<std::unique_ptr<lease::HeldNodeId>> former_held_;
  std::shared_ptr<lease::Current> current_ = std::make_shared<lease::Current>(nullptr);
  std::unique_ptr<Generator> generator_;
  std::unique_ptr<Process> original_;

  Phase phase_ = Phase::idle;
  lease::Time read_{};
  std::optional<Reply> inbox_;
  Reply reply_;
  lease::Action to_send_;
  std::int64_t wake_mono_ = 0;
  std::int64_t gives_up_mono_ = 0;  // on the reply that is awaited
  std::uint64_t asked_ = 0;         // requests so far, of all its holdings
  std::uint64_t awaited_ = 0;       // of these; 0: none

  // The store's revision, by the replies to this holding.
  struct Told {
    std::optional<std::int64_t> highest_revision;
    bool fell = false;
  } told_;
  bool stopped_ = false;  // since the runner took that fall into account

  // A thread that was stopped between reading and taking.
  struct Half {
    Node* node = nullptr;
    Grant* grant = nullptr;
    std::uint64_t last = 0;
    std::uint64_t position = 0;
    bool ours = false;
  } half_;
};

}  // namespace polyflake::simulation
