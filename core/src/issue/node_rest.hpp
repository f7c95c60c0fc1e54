// The part of a node that no fast path reads.
#pragma once

#include <polyflake/detail/node.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "issue/counters.hpp"
#include "issue/number_mark.hpp"
#include "issue/process_mark.hpp"
#include "issue/reservation.hpp"
#include "issue/turn.hpp"

namespace polyflake {

struct Node::Rest {
  Rest(Layout layout_of_all, std::uint64_t node_id) : layout(std::move(layout_of_all)), id(node_id) {}

  const Layout layout;
  const std::uint64_t id;
  std::string space;  // NodeTable::Space; written before the node is published
  Counters counters;
  std::atomic<std::int64_t> users{0};
  Node* next = nullptr;  // in the table's bucket; written before the node is published

  // Guarded by NodeTable::opening.
  std::string guard;  // the registry folder that guards the node id, if any
  ProcessMark mark;
  NumberMark number_mark;

  Turn turn;  // never held while waiting for a clock
  std::unique_ptr<Reservation> reservation POLYFLAKE_GUARDED_BY(turn);
  // Every grant ever adopted: a thread may still hold an old one.
  std::vector<std::unique_ptr<Grant>> grants POLYFLAKE_GUARDED_BY(turn);
  bool issued_any POLYFLAKE_GUARDED_BY(turn) = false;
  // Sums over frozen grants. Written in turn, but also read without the lock.
  std::atomic<std::uint64_t> issued_before{0};
  std::atomic<std::uint64_t> last_tick{0};
  // No grant issues anything below it; it only grows.
  std::atomic<std::uint64_t> skipped_to{0};

  // Returns true if `holder` is null or owns the reservation, or if there is none.
  bool is_of(const void* holder) const POLYFLAKE_REQUIRES(turn) {
    return holder == nullptr || reservation == nullptr || reservation->holder() == holder;
  }
  void freeze_grant_of(Node& node) POLYFLAKE_REQUIRES(turn);
  Extension extend(Node& node, Grant& grant, std::uint64_t tick, bool must) POLYFLAKE_REQUIRES(turn);
};

}  // namespace polyflake
