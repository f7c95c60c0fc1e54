// What a generator that is being opened asks of a source of node ids.
#pragma once

#include <polyflake/clock.hpp>
#include <polyflake/layout.hpp>

#include <cstdint>

namespace polyflake {

struct NodeRequest {
  const Layout& layout;
  std::int64_t lead_ticks;  // ids may run so far ahead of the clock
  Clock* clock;             // the manual clock to go by, which outlives the node; null: the system's
  bool chosen;              // false: nobody chose this source
};

}  // namespace polyflake
