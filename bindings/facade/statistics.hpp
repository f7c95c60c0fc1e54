// Statistics as a list. For the facade only.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <polyflake/stats.hpp>

#include "facade/source.hpp"

namespace polyflake::facade {

inline std::vector<Statistic> all_of(const polyflake::Stats& stats) {
  std::vector<Statistic> all;
  stats.each([&](const char* name, auto value) {
    constexpr bool kIsReal = std::is_floating_point_v<decltype(value)>;
    all.push_back({name, kIsReal, kIsReal ? 0 : static_cast<std::int64_t>(value), static_cast<double>(value)});
  });
  return all;
}

}  // namespace polyflake::facade
