// Stops after every single instruction, by the processor's trap flag: what a signal handler may do at any place is
// tried at every place. x86-64 Linux only.
#pragma once

#include <cstdlib>

#include <signal.h>
#include <ucontext.h>

namespace polyflake::test {

// Handles SIGTRAP, which the trap flag raises, while this object lives.
class StepHandler {
 public:
  explicit StepHandler(void (*on_step)(int, siginfo_t*, void*)) {
    struct sigaction action = {};
    action.sa_sigaction = on_step;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (::sigaction(SIGTRAP, &action, &former_) != 0) std::abort();
  }
  ~StepHandler() { ::sigaction(SIGTRAP, &former_, nullptr); }
  StepHandler(const StepHandler&) = delete;
  StepHandler& operator=(const StepHandler&) = delete;

 private:
  struct sigaction former_;
};

inline void step_from_here() {
  asm volatile("subq $128, %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n addq $128, %%rsp" ::: "memory", "cc");
}

inline void step_no_more() {
  asm volatile("subq $128, %%rsp\n pushfq\n andq $~0x100, (%%rsp)\n popfq\n addq $128, %%rsp" ::: "memory", "cc");
}

// In a handler: what it interrupted goes on without stops.
inline void step_no_more(void* context) {
  constexpr greg_t kTrapFlag = 0x100;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
}

}  // namespace polyflake::test
