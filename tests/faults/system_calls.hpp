// System calls of this process that can be counted, refused, held up or stopped at; Linux.
//
// system_calls.cpp defines open(), flock(), fdatasync() and their kin in front of the C library's. Linked into a program
// it is governed by these functions. As a library of its own in LD_PRELOAD (`c++ -shared -fPIC system_calls.cpp`), in
// front of an interpreter, by the environment:
//
//   POLYFLAKE_CALLS_FROM=/path       the region begins at the first call that names a path which begins so
//   POLYFLAKE_CALLS_STOP_AT=n        the process stops itself (SIGSTOP) before the n-th call of the region
//   POLYFLAKE_CALLS_FAIL_AT=n:errno  the n-th call of the region fails so
//   POLYFLAKE_CALLS_DELAY=name:ms    every call of this name in the region takes so much longer
//
// and by the C functions polyflake_calls_begin(), which reads the environment anew and begins a region, and
// polyflake_calls_end(), which returns how many calls were counted.
#pragma once

#include <cstdint>

namespace polyflake::test {

// Seconds of the true clock. A process that takes longer hangs, however busy the machine is.
constexpr unsigned kSecondsToHang = 30;

struct Call {
  const char* name;  // as the C library spells it, without a trailing 64
  int descriptor;    // -1 where it takes none
  const char* path;  // null where it takes none
};

// Asked before every call, in the thread that makes it: returns 0, or the errno with which the call fails without being
// made (close() is made all the same), or kLeftOut: the call returns 0 without being made. It may sleep, and raise signals.
constexpr int kLeftOut = -1;
using CallHandler = int (*)(const Call&);

// One at a time; null for none. Returns the former one.
CallHandler on_calls(CallHandler handler);

// The n-th call from now on, of any thread, fails with this errno; n = 0: counts only. Flushes that do not fail are left
// out; fstat() succeeds, as it does on whatever is open.
void fail_call(long n, int error);
// The process stops itself before the n-th call from now on.
void stop_before_call(long n);
// How many calls there were since one of the two was called; ends it.
long calls_made();

// The clock is ahead of the true one by so much. Before the first generator of the process, which is told to ask no other.
void set_clock_ahead(long seconds);
// Those who sleep from now on return at once, and so much time has passed.
// pass: how, where there is more to it.
void let_sleepers_pass_time(void (*pass)(std::int64_t ns) = nullptr);
// Time passes: for CLOCK_MONOTONIC too, which no one sets.
void pass_time(long seconds);
void pass_time_ns(std::int64_t ns);
// The clock is set.
void set_clock_forward(long seconds);
// From now on only these move it, and CLOCK_MONOTONIC.
void stop_clock();
// From now on copies of this process have the one clock with it, not a copy of it.
void share_clock();
void go_by_the_true_clock();  // and sleep
std::int64_t clock_now_ms();
void sleep_truly(int ms);

// From now on the times of changes to files are those of a file system that records every second, or every so many; 0: as
// they are.
void record_file_times_in(unsigned seconds);

// A handler: nothing is put on the medium, for tests that have no use for it and must not wait for it.
int leave_out_flushes(const Call& call);

bool is(const Call& call, const char* name);
// Whether the call is about the file with this path, by path or descriptor.
bool concerns(const Call& call, const char* path);

}  // namespace polyflake::test
