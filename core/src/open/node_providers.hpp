// How a generator comes to a node: one class for each way of asking, one row for each spelling (node_providers.cpp). They meet
// in the table of nodes, where a node id of a layout has one node and the strongest right that was asked for: what a registry
// guards once is never issued without it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/registry.hpp"
#include "issue/node_provider.hpp"
#include "issue/node_table.hpp"
#include "open/worker_choice.hpp"

namespace polyflake {

// For the system clock.
std::unique_ptr<NodeProvider> provider_for(const Layout& layout, const WorkerChoice& worker);

// At exit node ids have been given back: nothing may be stamped under them, nor new ones taken. Errors: generator_closed.
void refuse_when_exiting(const NodeTable& table);

// A number that the caller vouches for.
class StaticNodeProvider final : public NodeProvider {
 public:
  StaticNodeProvider(const Layout& layout, std::uint64_t id) : layout_(layout), id_(id) {}

  // Blocks: waits for another opening of this process. Errors: forked_generator, worker_in_use, and where a registry guards
  // the node id in this process those of HostNodeProvider.
  Node& open() override;
  Node* reopen(Node& old) override;
  GeneratorState after_fork() const noexcept override;

 private:
  void make_usable(Node& node, NodeTable& table, std::uint64_t execution) const POLYFLAKE_REQUIRES(table.opening);
  [[noreturn]] void refuse_forked() const;

  const Layout layout_;
  const std::uint64_t id_;
};

// A node id of the host registry: any, or a certain one.
class HostNodeProvider final : public NodeProvider {
 public:
  // Errors: registry_unusable.
  HostNodeProvider(const Layout& layout, const WorkerChoice& worker);
  // The node id of a node that another generator of this process had from this registry folder.
  HostNodeProvider(const Layout& layout, std::uint64_t id, std::string home);

  // Blocks: I/O, and waits for another opening of this process.
  // Errors: worker_in_use, no_worker_free, registry_unusable, clock_before_epoch, time_exhausted.
  Node& open() override;
  Node* reopen(Node& old) override;
  GeneratorState after_fork() const noexcept override;

  // The same for a caller that joins the node itself.
  Node& open_in_turn(NodeTable& table, std::uint64_t not_before_tick, std::uint64_t execution) const
      POLYFLAKE_REQUIRES(table.opening);

 private:
  bool any() const { return worker_.spec.kind == WorkerSpec::Kind::host; }
  std::string key(const std::string& what) const;
  Node* held_in(NodeTable& table) const POLYFLAKE_REQUIRES(table.opening);
  bool is_elsewhere(const Node& node) const;
  bool is_taken(NodeTable& table, std::uint64_t id) const;
  void refuse_elsewhere(const Node* node) const;
  [[noreturn]] void refuse_other_copy(std::uint64_t id) const;
  std::unique_ptr<HostReservation> acquire(NodeTable& table, HostRegistry& registry) const
      POLYFLAKE_REQUIRES(table.opening);
  std::unique_ptr<HostReservation> acquire_any(NodeTable& table, HostRegistry& registry) const
      POLYFLAKE_REQUIRES(table.opening);

  const Layout layout_;
  const WorkerChoice worker_;
  const std::string home_;
};

// A node that one generator on a manual clock has for itself.
class ManualNodeProvider final : public NodeProvider {
 public:
  ManualNodeProvider(const Layout& layout, const WorkerSpec& worker, Clock& clock);

  Node& open() override { return *node_; }
  Node* reopen(Node& old) override;  // Errors: forked_generator, registry_unusable: always one of them
  GeneratorState after_fork() const noexcept override;
  void close() noexcept override { node_->release(true); }

 private:
  std::unique_ptr<Node> node_;
};

}  // namespace polyflake
