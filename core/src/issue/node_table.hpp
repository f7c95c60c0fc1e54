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
  // Null where this execution has none yet; never makes one.
  static NodeTable* existing() noexcept;

  // Where node ids are given out apart from others: "" for static numbers and the host registry, which share one space, and
  // the name of a namespace for each of those, and of a kind whose ids carry no node id.
  using Space = std::string;

  // The node of this layout and node id, made when missing: with this clock, which lasts as long.
  Node& find_or_add(const Layout& layout, std::uint64_t id, const Space& space = {}, Clock* clock = nullptr,
                    Node::Draw draw = {0, 0});
  Node* find(const Layout& layout, std::uint64_t id, const Space& space = {}) const;
  bool in_use_by_an_ancestor(const Layout& layout, std::uint64_t id) const;

  // Gives all node ids of this process back; no node id is taken any more. Happens at exit, too.
  static void close_existing() noexcept;
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  // Nothing may be stamped under a node id that was given back. Errors: generator_closed.
  void refuse_when_closed() const;

  // Serialises what takes a new node id. Not inherited: a copy gets an unlocked one.
  Turn opening;

  // Nodes by what was asked of which registry folder, so that asking again gives the same.
  std::unordered_map<std::string, Node*> held POLYFLAKE_GUARDED_BY(opening);

  // Node ids whose registry files failed, by path: stepped over while there are others.
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
