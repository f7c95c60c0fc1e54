#include "open/static_node.hpp"

#include <polyflake/error.hpp>

#include <string>
#include <utility>

#include "issue/current_tick.hpp"
#include "issue/node_table.hpp"
#include "issue/reservation.hpp"
#include "open/host_node.hpp"
#include "open/manual_node.hpp"

namespace polyflake {
namespace {

class StaticNodeProvider final : public NodeProvider {
 public:
  StaticNodeProvider(const Layout& layout, std::uint64_t id) : layout_(layout), id_(id) {}

  // Blocks: waits for another opening of this process. Errors: forked_generator, worker_in_use,
  // generator_closed, and those of reopen_guarded() if a registry guards the node id in this
  // process.
  Node& open() override;
  Node* reopen(Node& old) override;
  GeneratorState after_fork() const noexcept override;

 private:
  void make_usable(Node& node, NodeTable& table, std::uint64_t execution) const POLYFLAKE_REQUIRES(table.opening);
  [[noreturn]] void refuse_forked() const;

  const Layout layout_;
  const std::uint64_t id_;
};

Node& StaticNodeProvider::open() {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  if (table.in_use_by_an_ancestor(layout_, id_)) refuse_forked();
  Node& node = table.find_or_add(layout_, id_);
  if (!node.usable()) {
    const InTurn lock(table.opening);
    make_usable(node, table, execution);
  }
  node.join();
  return node;
}

Node* StaticNodeProvider::reopen(Node& old) {
  if (!old.grant()->of_this_execution()) refuse_forked();
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  if (!table.opening.try_lock()) return nullptr;
  const InTurn lock(table.opening, InTurn::AlreadyLocked{});
  make_usable(old, table, execution);
  old.join();
  return &old;
}

void StaticNodeProvider::make_usable(Node& node, NodeTable& table, std::uint64_t execution) const {
  if (node.usable()) return;
  table.refuse_when_closed();
  // A generator that asked for more had it guarded: without that registry no generator continues.
  if (!node.guard().empty()) {
    reopen_guarded(node, table, execution);
    return;
  }
  if (!node.mark_process()) {
    throw Error(ErrorCode::worker_in_use,
                "node id " + std::to_string(id_) +
                    " is used by another copy of this library in this process, whose ids would be "
                    "the same; load one copy, or pass another worker");
  }
  node.mark_number();
  // From the next tick on: a process that had this number a moment ago may have stamped in the
  // current one.
  node.adopt(current_tick(layout_, SystemClock::read_ms()) + 1, layout_.end_tick(), nullptr, execution);
}

GeneratorState StaticNodeProvider::after_fork() const noexcept {
  return {GeneratorState::Name::lost, ErrorCode::forked_generator};
}

void StaticNodeProvider::refuse_forked() const {
  throw Error(ErrorCode::forked_generator, "node id " + std::to_string(id_) +
                                               " belongs to the process this one was forked from; pass a distinct "
                                               "worker after the fork, or use \"host\"");
}

}  // namespace

std::unique_ptr<NodeProvider> make_static_node(const NodeRequest& request, std::uint64_t id) {
  if (request.clock == nullptr) return std::make_unique<StaticNodeProvider>(request.layout, id);
  auto node = std::make_unique<Node>(request.layout, id, request.clock);
  node->adopt(0, request.layout.end_tick(), nullptr);
  return std::make_unique<ManualNodeProvider>(std::move(node));
}

}  // namespace polyflake
