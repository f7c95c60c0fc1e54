// How this process reads the system clock.
#pragma once

namespace polyflake {

// Once a process: by the cached tick where the kernel vouches for the TSC. POLYFLAKE_TICK_CACHE=off keeps to the plain clock.
void choose_clock_reading();

}  // namespace polyflake
