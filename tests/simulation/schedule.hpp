// One schedule of hosts, processes, a network and a store, all of it from one seed and in made-up time.
#pragma once

#include <cstdint>

#include "simulation/outcome.hpp"
#include "simulation/store.hpp"

namespace polyflake::simulation {

// What may go wrong. Clocks that are anywhere and a store that loses writes are not promised to go together.
struct Faults {
  bool wild_clocks = false;
  bool losing_store = false;
};

// told: everything that happens is printed.
Outcome run_schedule(std::uint64_t seed, Kind kind, Faults faults, bool told = false);

}  // namespace polyflake::simulation
