// A fork in a signal handler at one instruction of a call: the call goes on in parent and child.
#pragma once

#include <cstdlib>
#include <functional>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "copies.hpp"
#include "stepping.hpp"

namespace polyflake::test {

inline volatile long g_steps = 0;
inline volatile long g_act_at = 0;  // the instruction after which a handler acts
inline volatile bool g_copy = false;
inline volatile pid_t g_child = -1;

// After the last look at whose memory this is, an id is as good as handed out: forking there is the same as
// forking right after the call. This many instructions may lie behind it, those that end the stepping too.
constexpr long kHandedOut = 64;

inline void fork_on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_steps > g_act_at + kHandedOut) step_no_more(context);  // not near the end of the call: enough is known
  if (g_steps != g_act_at) return;
  g_child = raw_clone();
  if (g_child != 0) return;
  g_copy = true;
  step_no_more(context);
}

// The results of a call on both sides of a fork.
template <class Id>
struct Forked {
  Id parent{}, child{};
  // Instructions from the fork to the end of the call, as the parent went. More than kHandedOut are not counted.
  long left = 0;
  bool forked = false;  // false if the call ended before
};

// Forks after instruction number `at` of a call. stepped: returns the id of a call through which it stepped.
template <class Id>
Forked<Id> forked_after(long at, const std::function<Id()>& stepped) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  g_steps = 0;
  g_act_at = at;
  g_child = -1;
  Forked<Id> outcome;
  outcome.parent = stepped();
  if (g_copy) {
    if (::write(ends[1], &outcome.parent, sizeof outcome.parent) != sizeof outcome.parent) std::abort();
    ::_exit(0);
  }
  ::close(ends[1]);
  outcome.left = g_steps - at;
  outcome.forked = g_child > 0;
  if (outcome.forked) {
    if (::read(ends[0], &outcome.child, sizeof outcome.child) != sizeof outcome.child) std::abort();
    ::waitpid(g_child, nullptr, 0);
  }
  ::close(ends[0]);
  return outcome;
}

}  // namespace polyflake::test
