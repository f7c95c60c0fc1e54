// A call that blocks its thread until a counter has a number for it.
#pragma once

#include <cstdint>

namespace polyflake {

// Plain data: an interpreter that ends may end the thread at any point.
struct WaitingCall {
  const void* noted_by = nullptr;  // what counts it as waiting; null: nothing does
  std::uint64_t round = 0;         // of that, when the call last looked
};

}  // namespace polyflake
