// How a generator comes to a node: one class for each way of asking. They meet in the table of states, where a node id of a
// layout has one state and the strongest right that was asked for: what a registry guards once is never issued without it.
#pragma once

#include <polyflake/clock.hpp>
#include <polyflake/generator.hpp>
#include <polyflake/detail/node.hpp>
#include <polyflake/worker.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include "host/registry.hpp"

namespace polyflake {

// At exit node ids have been given back: nothing may be stamped under them, nor new ones taken. Errors: generator_closed.
void refuse_when_exiting(const NodeTable& table);

// A number that the caller vouches for.
class StaticNodeProvider final : public NodeProvider {
 public:
  StaticNodeProvider(const Layout& layout, std::uint64_t node) : layout_(layout), node_(node) {}

  // Blocking: waits for another opening of this process. Errors: forked_generator, worker_in_use, and where a registry guards
  // the node id in this process those of HostNodeProvider.
  State& open() const;
  State* reopen(State& old) override;
  GeneratorState after_fork() const noexcept override;

 private:
  void make_usable(State& state, NodeTable& table, std::uint64_t execution) const;
  [[noreturn]] void refuse_forked() const;

  const Layout layout_;
  const std::uint64_t node_;
};

// A node id of the host registry: any, or a certain one.
class HostNodeProvider final : public NodeProvider {
 public:
  // Errors: registry_unusable.
  HostNodeProvider(const Layout& layout, WorkerSpec worker);
  // The node id of a state that another generator of this process had from this registry folder.
  HostNodeProvider(const Layout& layout, std::uint64_t node, std::string home);

  // Blocking: I/O, and waits for another opening of this process.
  // Errors: worker_in_use, no_worker_free, registry_unusable, clock_before_epoch, time_exhausted.
  State& open() const;
  State* reopen(State& old) override;
  GeneratorState after_fork() const noexcept override;

  // The same where the caller holds table.opening() and joins the state itself.
  State& open_in_turn(NodeTable& table, std::uint64_t not_before_tick, std::uint64_t execution) const;

  const std::string& home() const { return home_; }

 private:
  bool any() const { return worker_.kind == WorkerSpec::Kind::host; }
  std::string key(const std::string& what) const;
  State* held_in(NodeTable& table) const;
  bool is_elsewhere(const State& state) const;
  bool is_taken(NodeTable& table, std::uint64_t node) const;
  void refuse_elsewhere(const State* state) const;
  [[noreturn]] void refuse_other_copy(std::uint64_t node) const;
  std::unique_ptr<HostReservation> acquire(NodeTable& table, HostRegistry& registry) const;
  std::unique_ptr<HostReservation> acquire_any(NodeTable& table, HostRegistry& registry) const;

  const Layout layout_;
  const WorkerSpec worker_;
  const std::string home_;
};

// A state that one generator on a manual clock has for itself.
class ManualNodeProvider final : public NodeProvider {
 public:
  static std::unique_ptr<State> open(const Layout& layout, const WorkerSpec& worker, Clock& clock);

  State* reopen(State& old) override;  // Errors: forked_generator, registry_unusable: always one of them
  GeneratorState after_fork() const noexcept override;
};

}  // namespace polyflake
