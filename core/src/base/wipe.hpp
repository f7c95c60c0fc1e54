// Forgetting keys: zeros that the compiler may not leave out, though nobody reads them.
#pragma once

#include <cstddef>
#include <cstring>

namespace polyflake {

// Which function that is, no compiler may assume.
inline void* (*const volatile g_set_memory)(void*, int, std::size_t) = std::memset;

inline void wipe(void* memory, std::size_t size) noexcept { g_set_memory(memory, 0, size); }

}  // namespace polyflake
