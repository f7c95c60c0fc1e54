#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

#include "issue/current_tick.hpp"

namespace polyflake {

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
  if (!old.grant()->ours()) refuse_forked();
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  if (!table.opening.try_lock()) return nullptr;
  const InTurn lock(table.opening, InTurn::Given{});
  make_usable(old, table, execution);
  old.join();
  return &old;
}

void StaticNodeProvider::make_usable(Node& node, NodeTable& table, std::uint64_t execution) const {
  if (node.usable()) return;
  refuse_when_exiting(table);
  if (!node.guard().empty()) {  // by a generator that asked for more: without its registry nobody goes on
    HostNodeProvider(layout_, id_, node.guard()).open_in_turn(table, node.first_free_tick(), execution);
    return;
  }
  if (!node.mark_process()) {
    throw Error(ErrorCode::worker_in_use,
                "node id " + std::to_string(id_) +
                    " is used by another copy of this library in this process, whose ids would be "
                    "the same; load one copy, or pass another worker");
  }
  // From the next tick on: a process that had this number a moment ago may have stamped in the current one.
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

}  // namespace polyflake
