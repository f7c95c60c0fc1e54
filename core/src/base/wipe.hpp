// Forgetting keys: zeros that the compiler may not leave out, though nobody reads them.
#pragma once

#include <cstddef>

namespace polyflake {

inline void wipe(void* memory, std::size_t size) noexcept {
  auto* const bytes = static_cast<volatile unsigned char*>(memory);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = 0;
}

}  // namespace polyflake
