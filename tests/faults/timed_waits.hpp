// Threads that wait on a condition variable until a time by the steady clock, where sleepers pass time.
//
// A sleeper goes no further than to the end of the next such wait, in whatever process of the test, and on when that thread
// waits again: so what is to be done at a time is done then.
#pragma once

namespace polyflake::test {

// From now on, for this process and its copies, after let_sleepers_pass_time() and share_clock().
void let_sleepers_heed_timed_waits();

}  // namespace polyflake::test
