#include "timed_waits.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <new>

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system_calls.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kRuns = -1;  // it does what it woke for
constexpr std::int64_t kElsewhere = INT64_MAX;

// A thread that waits, or did.
struct Waiter {
  std::atomic<pid_t> process{0};  // 0: free
  std::atomic<std::int64_t> ends_ns{kElsewhere};
};

struct Waiters {
  Waiter all[256];
};

std::atomic<Waiters*> g_waiters{nullptr};

// The calling thread's, in the process that it was taken in.
struct Own {
  Waiter* waiter = nullptr;
  pid_t process = 0;

  Waiter* get() const { return process == ::getpid() ? waiter : nullptr; }
  Waiter& take() {
    if (Waiter* const mine = get()) return *mine;
    process = ::getpid();
    for (Waiter& one : g_waiters.load()->all) {
      pid_t expected = 0;
      if (one.process.compare_exchange_strong(expected, process)) return *(waiter = &one);
    }
    std::abort();
  }
  ~Own() {
    if (Waiter* const mine = get()) {
      mine->ends_ns = kElsewhere;
      mine->process = 0;
    }
  }
};
thread_local Own t_own;

std::int64_t steady_ns() {
  std::timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

void rest_truly() {
  std::timespec shortly{0, 50'000};
  ::syscall(SYS_nanosleep, &shortly, nullptr);
}

bool runs(Waiter& one) {
  if (one.process == 0 || one.ends_ns != kRuns) return false;
  if (::kill(one.process, 0) == 0) return true;
  one.ends_ns = kElsewhere;  // it was killed
  one.process = 0;
  return false;
}

// Until all wait that woke; one that hangs is not waited for.
void let_all_run() {
  constexpr int kPatience = 20'000;
  for (Waiter& one : g_waiters.load()->all) {
    for (int i = 0; i < kPatience && runs(one); ++i) rest_truly();
    std::int64_t expected = kRuns;
    one.ends_ns.compare_exchange_strong(expected, kElsewhere);
  }
}

Waiter* next_to_end() {
  Waiter* next = nullptr;
  std::int64_t soonest_ns = kElsewhere;
  for (Waiter& one : g_waiters.load()->all) {
    const std::int64_t ends_ns = one.ends_ns;
    if (one.process == 0 || ends_ns < 0 || ends_ns >= soonest_ns) continue;
    soonest_ns = ends_ns;
    next = &one;
  }
  return next;
}

void pass_beside_waits(std::int64_t left_ns) {
  Waiter* const own = t_own.get();
  const std::int64_t former = own != nullptr ? own->ends_ns.exchange(kElsewhere) : kElsewhere;
  for (;;) {
    rest_truly();  // for who is about to wait
    let_all_run();
    Waiter* const next = next_to_end();
    std::int64_t ends_ns = next != nullptr ? next->ends_ns.load() : kElsewhere;
    const std::int64_t step_ns = ends_ns < 0 || ends_ns == kElsewhere ? left_ns : ends_ns - steady_ns();
    if (step_ns > left_ns || ends_ns < 0 || ends_ns == kElsewhere) {
      pass_time_ns(left_ns);
      break;
    }
    if (step_ns > 0) pass_time_ns(step_ns);
    left_ns -= step_ns > 0 ? step_ns : 0;
    next->ends_ns.compare_exchange_strong(ends_ns, kRuns);
  }
  if (own != nullptr) own->ends_ns = former;
}

using ClockWait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const std::timespec*);

ClockWait true_wait() {
  static const auto found = reinterpret_cast<ClockWait>(::dlsym(RTLD_NEXT, "pthread_cond_clockwait"));
  return found;
}

int wait_shortly(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  std::timespec until;
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &until);
  until.tv_nsec += 200'000;
  if (until.tv_nsec >= kNsPerSecond) {
    until.tv_nsec -= kNsPerSecond;
    ++until.tv_sec;
  }
  return true_wait()(condition, mutex, CLOCK_MONOTONIC, &until);
}

}  // namespace

void let_sleepers_heed_timed_waits() {
  if (g_waiters.load() == nullptr) {
    void* const memory = ::mmap(nullptr, sizeof(Waiters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    g_waiters = static_cast<Waiters*>(memory);
  }
  new (g_waiters.load()) Waiters;
  true_wait();
  let_sleepers_pass_time(pass_beside_waits);
}

extern "C" __attribute__((visibility("default"))) int polyflake_call_clockwait(
    pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
    const std::timespec* until) __asm__("pthread_cond_clockwait");

int polyflake_call_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                             const std::timespec* until) {
  if (g_waiters.load() == nullptr || clock != CLOCK_MONOTONIC) return true_wait()(condition, mutex, clock, until);
  Waiter& own = t_own.take();
  const std::int64_t ends_ns = until->tv_sec * kNsPerSecond + until->tv_nsec;
  own.ends_ns = ends_ns < 0 ? 0 : ends_ns;
  for (;;) {
    const int result = wait_shortly(condition, mutex);
    if (result != ETIMEDOUT) {
      own.ends_ns = kElsewhere;  // whoever woke it waits for it
      return result;
    }
    if (own.ends_ns != kRuns && steady_ns() < ends_ns) continue;
    own.ends_ns = kRuns;
    return ETIMEDOUT;
  }
}

}  // namespace polyflake::test
