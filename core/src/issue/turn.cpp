#include "issue/turn.hpp"

#include <polyflake/clock.hpp>

#include <algorithm>

#include "os/os.hpp"

namespace polyflake {

void Turn::lock() noexcept {
  constexpr std::int64_t kLongestNs = 1'000'000;
  const platform::Uncancelled uncancelled;
  for (std::int64_t ns = 20'000; !try_lock(); ns = std::min(2 * ns, kLongestNs)) sleep_ns(ns);
}

}  // namespace polyflake
