// The table of nodes in this process. A copy of the process has an empty one of its own.
#pragma once

#include <polyflake/detail/node.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "issue/turn.hpp"

namespace polyflake {

class NodeTable {
 public:
  static NodeTable& current();
  // Returns null if this execution has no table yet; never makes one.
  static NodeTable* existing() noexcept;

  // A space of node ids. Static numbers and the host registry share the space "". Each namespace,
  // and each kind whose ids carry no node id, has a space named after it.
  using Space = std::string;

  // Returns the node of this layout and node id, made if missing. clock: the new node's; it must
  // outlive the node.
  Node& find_or_add(const Layout& layout, std::uint64_t id, const Space& space = {}, Clock* clock = nullptr,
                    Node::RandomKey random_key = {0, 0});
  Node* find(const Layout& layout, std::uint64_t id, const Space& space = {}) const;
  bool in_use_by_an_ancestor(const Layout& layout, std::uint64_t id) const;

  // Gives back all node ids of this process; none can be taken any more. Happens at exit, too.
  static void close_existing() noexcept;
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  // Refuses to stamp under a node id that was given back. Errors: generator_closed.
  void refuse_when_closed() const;

  // Serialises calls that take a new node id. Not inherited: a copy of the process gets an unlocked
  // one.
  Turn opening;

  // Nodes by request and registry folder, so that the same request gets the same node.
  std::unordered_map<std::string, Node*> held POLYFLAKE_GUARDED_BY(opening);

  // Paths of node ids whose registry files failed: skipped while there are others.
  std::unordered_set<std::string> failed POLYFLAKE_GUARDED_BY(opening);

 private:
  explicit NodeTable(NodeTable* ancestor) : ancestor_(ancestor) {}

  void close() noexcept;
  std::atomic<Node*>& bucket(const Layout& layout, std::uint64_t id) const;
  static Node* find_in(Node* list, const Layout& layout, std::uint64_t id, const Space& space);

  static constexpr std::size_t kBuckets = 256;
  mutable std::atomic<Node*> buckets_[kBuckets] = {};  // append-only lists: readers need no lock
  NodeTable* const ancestor_;
  std::atomic<bool> closed_{false};
};

}  // namespace polyflake
