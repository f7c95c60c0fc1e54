// Batches: one swap reserves neighbouring positions; the rest is arithmetic.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "issue/issuing.hpp"
#include "issue/number_bytes.hpp"

namespace polyflake {

IdRange Generator::claim_range(std::size_t n) {
  if (n == 0) {
    if (closed()) refuse_closed();
    return {0, 0, 0, true};
  }
  Node& node = *node_.load(std::memory_order_acquire);
  Grant& grant = *node.grant();
  Positions taken = take_from_reserve(pace_, node, grant, n);
  if (taken.count == 0) {
    taken = take_in_current_tick(pace_, node, grant, n);
    // Positions that a signal handler took meanwhile are lower.
    if (taken.count != 0) drop_reserve(pace_, grant);
  }
  return taken.count != 0 && grant.of_this_execution() ? range_of(node, taken, true)
                                                       : claim_range_slowly(n, Patience::wait);
}

void Generator::fill(std::uint64_t* ids, std::size_t n) {
  OneExecution().run([&] {
    for (std::size_t done = 0; done < n;) {
      const IdRange range = claim_range(n - done);
      range.write(ids + done);
      done += range.count;
      if (range.count == 0) wait_until_due(0);
      // Otherwise the node id was lost meanwhile, or this is a copy of the process.
      else if (!range.ready && !wait_until_due(range.last())) done = 0;
    }
    return true;
  });
}

void Generator::fill_bytes(unsigned char* ids, std::size_t n) { fill_number_bytes(*this, ids, n); }

std::vector<std::uint64_t> Generator::next_ids(std::size_t n) {
  std::vector<std::uint64_t> ids(n);
  fill(ids.data(), n);
  return ids;
}

}  // namespace polyflake
