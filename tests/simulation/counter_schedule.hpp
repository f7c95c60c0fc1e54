// One schedule of hosts, processes, a network and a store that share one counter, all of it from
// one seed and in made-up time.
#pragma once

#include <cstdint>

#include "simulation/counter_store.hpp"
#include "simulation/outcome.hpp"

namespace polyflake::simulation {

// told: everything that happens is printed.
Outcome run_counter_schedule(std::uint64_t seed, const CounterKind& kind, bool told = false);

}  // namespace polyflake::simulation
