// The choice of how this process reads the system clock.
#pragma once

namespace polyflake {

// Chooses once per process: the cached tick if the kernel vouches for the TSC, else the plain
// clock. POLYFLAKE_TICK_CACHE=off always selects the plain clock.
void choose_clock_reading();

}  // namespace polyflake
