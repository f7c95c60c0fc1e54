// The tick in which ids are issued now.
#pragma once

#include <polyflake/layout.hpp>

#include <cstdint>

namespace polyflake {

// Returns the tick that contains this instant, for issuing. Errors: clock_before_epoch,
// time_exhausted.
std::uint64_t current_tick(const Layout& layout, std::int64_t unix_ms);

[[noreturn]] void refuse_exhausted(const Layout& layout);

}  // namespace polyflake
