// Serials of processes, so that a reply finds only who asked.
#pragma once

#include <cstdint>

namespace polyflake::simulation {

inline std::uint64_t next_serial() {
  static std::uint64_t serial = 0;
  return ++serial;
}

}  // namespace polyflake::simulation
