// Nanoseconds of a millisecond: clocks count in the one, ids in the other.
#pragma once

#include <cstdint>

namespace polyflake {

constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace polyflake
