// Wipes keys: writes zeros that the compiler may not remove although nothing reads them.
#pragma once

#include <cstddef>
#include <cstring>

namespace polyflake {

// Volatile: the compiler may not assume which function this is.
inline void* (*const volatile g_set_memory)(void*, int, std::size_t) = std::memset;

inline void wipe(void* memory, std::size_t size) noexcept { g_set_memory(memory, 0, size); }

}  // namespace polyflake
