// The outcome of a schedule.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::simulation {

struct Outcome {
  std::string failure;  // "" where all held
  std::uint64_t ids = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t outside = 0;  // of what the store granted
  std::uint64_t disorders = 0;
  std::uint64_t stuck = 0;  // processes that issued nothing long after everything was well again
};

}  // namespace polyflake::simulation
