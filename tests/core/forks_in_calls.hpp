// Forks in a signal handler at the instructions of a call: the call goes on in the parent and in each copy.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <type_traits>
#include <vector>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "copies.hpp"
#include "stepping.hpp"

namespace polyflake::test {

inline volatile long g_steps = 0;
inline volatile long g_act_at = 0;  // the instruction after which a handler acts
inline volatile bool g_copy = false;

// The handler forks after this instruction, and after each that follows it by a multiple of so many.
inline volatile long g_fork_first = 0, g_fork_every = 0;
inline volatile std::size_t g_forks = 0, g_failed_copies = 0;
constexpr std::size_t kMostForks = 4096;

// After the last look at whose memory this is, an id is as good as handed out: forking there is the same as
// forking right after the call. This many instructions may lie behind it, those that end the stepping too.
constexpr long kHandedOut = 64;

// The parent waits for each copy, so that no two of them share the processors.
inline void fork_on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_steps < g_fork_first || (g_steps - g_fork_first) % g_fork_every != 0) return;
  if (g_forks == kMostForks) return;  // it goes round in a loop, and each place there was tried
  const pid_t child = raw_clone();
  if (child == 0) {
    g_copy = true;
    step_no_more(context);
    return;
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) g_failed_copies = g_failed_copies + 1;
  g_forks = g_forks + 1;
}

// The results of a call on both sides of a fork.
template <class Id>
struct Forked {
  Id parent{}, child{};
  long at = 0;    // the instruction after which it was forked
  long left = 0;  // instructions from there to the end of the call, as the parent went
};

// Memory that copies write to and their parent reads.
template <class Id>
class SharedResults {
  static_assert(std::is_trivially_copyable_v<Id>);

 public:
  SharedResults() {
    void* const memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    ids_ = static_cast<Id*>(memory);
  }
  ~SharedResults() { ::munmap(ids_, kSize); }
  SharedResults(const SharedResults&) = delete;
  SharedResults& operator=(const SharedResults&) = delete;

  Id& operator[](std::size_t i) { return ids_[i]; }

 private:
  static constexpr std::size_t kSize = kMostForks * sizeof(Id);
  Id* ids_;
};

// Forks after instruction number `first` of one call, and after each that follows it by a multiple of `every`. stepped: returns
// the id of a call through which it stepped.
template <class Id>
std::vector<Forked<Id>> forked_in_a_call(long first, long every, const std::function<Id()>& stepped) {
  SharedResults<Id> results;
  g_steps = 0;
  g_fork_first = first;
  g_fork_every = every;
  g_forks = g_failed_copies = 0;
  const Id id = stepped();
  if (g_copy) {
    results[g_forks] = id;
    ::_exit(0);
  }
  if (g_failed_copies != 0) std::abort();
  std::vector<Forked<Id>> outcomes;
  for (std::size_t i = 0; i < g_forks; ++i) {
    const long at = first + static_cast<long>(i) * every;
    outcomes.push_back({id, results[i], at, g_steps - at});
  }
  return outcomes;
}

}  // namespace polyflake::test
