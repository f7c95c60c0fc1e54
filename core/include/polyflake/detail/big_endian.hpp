// Numbers as bytes, most significant first.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(_MSC_VER)
#include <cstdlib>
#endif

namespace polyflake {

// Written by hand: for a loop over bytes compilers emit one instruction here and twenty there.
inline std::uint64_t to_big_endian(std::uint64_t value) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return value;
#elif defined(_MSC_VER)
  return _byteswap_uint64(value);
#else
  return __builtin_bswap64(value);
#endif
}

inline void store_big_endian(std::uint8_t* bytes, std::uint64_t value) {
  value = to_big_endian(value);
  std::memcpy(bytes, &value, sizeof value);
}

inline std::uint64_t load_big_endian(const std::uint8_t* bytes) {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return to_big_endian(value);
}

}  // namespace polyflake
