// One schedule of hosts, processes, a network and a store, all of it from one seed and in made-up time.
#pragma once

#include <cstdint>
#include <string>

#include "simulation/store.hpp"

namespace polyflake::simulation {

// What may go wrong. Clocks that are anywhere and a store that loses writes are not promised to go together.
struct Faults {
  bool wild_clocks = false;
  bool losing_store = false;
};

struct Outcome {
  std::string failure;  // "" where all held
  std::uint64_t ids = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t outside = 0;  // stamps and marks that no window of the store allows
  std::uint64_t disorders = 0;
  std::uint64_t stuck = 0;  // processes that issued nothing long after everything was well again
};

// told: everything that happens is printed.
Outcome run_schedule(std::uint64_t seed, Kind kind, Faults faults, bool told = false);

}  // namespace polyflake::simulation
