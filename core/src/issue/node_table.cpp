#include "issue/node_table.hpp"

#include <polyflake/error.hpp>

#include <cstdlib>
#include <memory>

#include "issue/node_rest.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// The newest table, in ordinary memory: in a copy of the process it is the parent's, which becomes
// the ancestor.
std::atomic<NodeTable*> g_newest_table{nullptr};

void close_at_exit() { NodeTable::close_existing(); }

// In the file that makes tables, which is linked into every program that uses a node id. Registered
// at load, not at first use: a fork could inherit the half-taken guard of a first use.
[[maybe_unused]] const int g_at_exit = std::atexit(close_at_exit);

}  // namespace

NodeTable* NodeTable::existing() noexcept {
  return static_cast<NodeTable*>(Execution::slot().load(std::memory_order_acquire));
}

NodeTable& NodeTable::current() {
  if (NodeTable* const current = existing()) {
    // The thread that made it may not have stored it yet, and a fork now must find it.
    if (g_newest_table.load(std::memory_order_acquire) != current)
      g_newest_table.store(current, std::memory_order_release);
    return *current;
  }
  platform::close_inherited();  // in case no fork handler ran
  NodeTable* const ancestor = g_newest_table.load(std::memory_order_acquire);
  // Never freed, like its nodes: they last as long as the process.
  auto* const made = new NodeTable(ancestor);
  void* expected = nullptr;
  if (!Execution::slot().compare_exchange_strong(expected, made, std::memory_order_acq_rel)) {
    delete made;  // another thread was first
    return *static_cast<NodeTable*>(expected);
  }
  g_newest_table.store(made, std::memory_order_release);
  return *made;
}

std::atomic<Node*>& NodeTable::bucket(const Layout& layout, std::uint64_t id) const {
  return buckets_[(layout.fingerprint() ^ id * 0x9E3779B97F4A7C15) % kBuckets];
}

Node* NodeTable::find_in(Node* list, const Layout& layout, std::uint64_t id, const Space& space) {
  for (Node* node = list; node != nullptr; node = node->rest_->next) {
    if (node->id() == id && node->rest_->space == space && node->layout() == layout) return node;
  }
  return nullptr;
}

Node* NodeTable::find(const Layout& layout, std::uint64_t id, const Space& space) const {
  return find_in(bucket(layout, id).load(std::memory_order_acquire), layout, id, space);
}

Node& NodeTable::find_or_add(const Layout& layout, std::uint64_t id, const Space& space, Clock* clock,
                             Node::RandomKey random_key) {
  std::atomic<Node*>& head = bucket(layout, id);
  Node* list = head.load(std::memory_order_acquire);
  std::unique_ptr<Node> made;
  // The swap must find the list that was searched: otherwise another thread may have added the same
  // node.
  for (;;) {
    if (Node* const current = find_in(list, layout, id, space)) return *current;
    if (made == nullptr) {
      made = std::make_unique<Node>(layout, id, clock, random_key);
      made->rest_->space = space;
    }
    made->rest_->next = list;
    if (head.compare_exchange_weak(list, made.get(), std::memory_order_acq_rel)) return *made.release();
  }
}

void NodeTable::close_existing() noexcept {
  // In a forked child that issued nothing there is no table: everything it inherited is the
  // parent's.
  if (NodeTable* const table = existing()) table->close();
}

void NodeTable::close() noexcept {
  closed_.store(true, std::memory_order_release);
  for (auto& head : buckets_) {
    for (Node* node = head.load(std::memory_order_acquire); node != nullptr; node = node->rest_->next)
      node->release(false);
  }
}

void NodeTable::refuse_when_closed() const {
  if (closed()) throw Error(ErrorCode::generator_closed, "the process is exiting; its generators are closed");
}

bool NodeTable::in_use_by_an_ancestor(const Layout& layout, std::uint64_t id) const {
  for (const NodeTable* table = ancestor_; table != nullptr; table = table->ancestor_) {
    if (table->find(layout, id) != nullptr) return true;
  }
  return false;
}

}  // namespace polyflake
