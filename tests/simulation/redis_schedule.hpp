// One schedule of hosts, processes and several Redis that copy each other, with the core's own logic of what counts.
#pragma once

#include <cstdint>

#include "simulation/schedule.hpp"

namespace polyflake::simulation {

// told: everything that happens is printed.
Outcome run_redis_schedule(std::uint64_t seed, bool told = false);

}  // namespace polyflake::simulation
