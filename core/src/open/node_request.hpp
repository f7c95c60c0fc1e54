// The request that a new generator makes of a source of node ids.
#pragma once

#include <polyflake/clock.hpp>
#include <polyflake/layout.hpp>

#include <cstdint>

namespace polyflake {

struct NodeRequest {
  const Layout& layout;
  std::int64_t lead_ticks;  // how far ids may run ahead of the clock
  Clock* clock;             // a manual clock, which outlives the node; null: the system's
  bool chosen;              // false: the source is the default
};

}  // namespace polyflake
