// The time span of a layout, for code that refuses a time outside of it.
#pragma once

#include <cstdint>
#include <string>

#include <polyflake/layout.hpp>

namespace polyflake {

// Returns the last Unix ms of the last tick.
inline std::int64_t last_ms(const Layout& layout) {
  return layout.time_of(ones(layout.timestamp().width)) + (layout.tick_ms() - 1);
}

inline std::string outside_the_span(const Layout& layout) {
  return "is outside the layout's span, " + std::to_string(layout.epoch_ms()) + " to " +
         std::to_string(last_ms(layout)) + " ms since 1970";
}

}  // namespace polyflake
