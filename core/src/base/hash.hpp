// FNV-1a, 64 bits: names layouts and detects torn writes. It does not resist an adversary.
// Source: Fowler, Noll, Vo.
#pragma once

#include <cstdint>
#include <string_view>

namespace polyflake {

constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace polyflake
