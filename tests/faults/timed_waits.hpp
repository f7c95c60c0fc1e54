// Threads that wait on a condition variable until a time by the steady clock, where sleepers pass time.
//
// A sleeper goes no further than to the end of the next such wait, in whatever process of the test, and on when that thread
// waits again: so what is to be done at a time is done then. While a thread runs that was made or woken meanwhile, no time
// passes at all, however long a busy machine takes to run it.
#pragma once

#include <cstdint>

namespace polyflake::test {

// From now on, for this process and its copies, after stop_clock(), let_sleepers_pass_time() and share_clock().
void let_sleepers_heed_timed_waits();

// Passes time as a sleeper does then.
void pass_beside_waits(std::int64_t ns);

// The calling thread's own timed waits pass time, too, and those of its copies: it waits for the others, none of them for it.
void let_own_timed_waits_pass_time();

}  // namespace polyflake::test
