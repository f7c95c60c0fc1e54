// The windows that a store granted, as its own records say: each stamp is compared with them at the moment of its issue.
//
// So a window that ends a tick late, or a mark that is given back a tick low, is seen without a second id like it. A grant stays
// here when the store forgets it: its holder goes on to the end of the window.
#pragma once

#include <polyflake/store.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace polyflake::simulation {

class Ledger {
 public:
  // Notes a write that the store confirmed; `before` is what the store had of the namespace and this node. Returns what is wrong
  // with the write, or nullptr.
  const char* write(std::uint64_t process, const lease::Cas& cas, const lease::Contents& before) {
    const auto& space = before.space;
    if (space && cas.space && cas.space->floor_ms < space->floor_ms) return "a floor was lowered";
    if (!cas.node) return nullptr;
    const auto found = std::find_if(grants_.begin(), grants_.end(), [&](const Granted& one) {
      return one.node == *cas.node && one.owner == cas.record.owner;
    });
    if (found != grants_.end()) {
      found->until_ms = cas.record.until_ms;
      return found->stamped_until_ms > found->until_ms ? "a mark below what was stamped" : nullptr;
    }
    std::int64_t start_ms = cas.space ? cas.space->floor_ms : space->floor_ms;
    if (const auto& record = before.nodes.front()) start_ms = std::max(start_ms, record->until_ms);
    grants_.push_back({process, *cas.node, cas.record.owner, start_ms, cas.record.until_ms, INT64_MIN});
    return nullptr;
  }

  // Returns false if no window of this process has the whole tick [begin_ms, end_ms).
  bool stamp(std::uint64_t process, std::uint64_t node, std::int64_t begin_ms, std::int64_t end_ms) {
    for (Granted& one : grants_) {
      const bool inside =
          one.process == process && one.node == node && one.start_ms <= begin_ms && end_ms <= one.until_ms;
      if (!inside) continue;
      one.stamped_until_ms = std::max(one.stamped_until_ms, end_ms);
      return true;
    }
    return false;
  }

  // `from` is its copy from now on: its windows belong to `to`.
  void pass(std::uint64_t from, std::uint64_t to) {
    for (Granted& one : grants_) {
      if (one.process == from) one.process = to;
    }
  }

 private:
  struct Granted {
    std::uint64_t process, node;
    lease::Word owner;
    std::int64_t start_ms, until_ms;
    std::int64_t stamped_until_ms;
  };

  std::vector<Granted> grants_;
};

}  // namespace polyflake::simulation
