#include <polyflake/stats.hpp>

#include <polyflake/generator.hpp>

#include <algorithm>

#include "issue/counters.hpp"
#include "issue/issuing.hpp"
#include "issue/node_provider.hpp"

namespace polyflake {

Stats Generator::stats() const {
  constexpr double kMsPerYear = 365.2425 * 86'400'000;
  Node& node = *opened_.load(std::memory_order_acquire);
  const Grant& grant = *node.grant();
  const std::int64_t now_ms = node.clock().now_ms();
  const std::uint64_t last = grant.last.load(std::memory_order_relaxed);
  const bool issuing = last != grant.begin && last < Grant::kFrozen;
  const std::int64_t ahead_ms =
      issuing ? (static_cast<std::int64_t>(node.tick_of(last)) - node.now()) * layout_.tick_ms() : 0;
  Stats stats{};
  node.counters().report(stats, layout_.tick_ms());
  stats.issued = node.issued(pace_.ordering == Ordering::strict ? 0 : reserve_of_this_thread(grant).left(grant.serial));
  stats.lead_ms = std::max<std::int64_t>(ahead_ms, 0);
  stats.until_ms = layout_.time_of(grant.until.load(std::memory_order_relaxed));
  stats.years_left = std::max(0.0, static_cast<double>(layout_.time_of(layout_.end_tick()) - now_ms) / kMsPerYear);
  provider_->report(stats);
  return stats;
}

}  // namespace polyflake
