// Nanoseconds per millisecond: clocks count nanoseconds, ids count milliseconds.
#pragma once

#include <cstdint>

namespace polyflake {

constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace polyflake
