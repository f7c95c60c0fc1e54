// Allocations of this process (operator new) that can be counted and refused.
#pragma once

namespace polyflake::test {

// The n-th allocation from now on, of any thread, raises std::bad_alloc; n = 0: counts only.
void fail_allocation(long n);
// How many there were since; ends it.
long allocations_made();

}  // namespace polyflake::test
