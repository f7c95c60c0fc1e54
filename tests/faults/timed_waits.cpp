#include "timed_waits.hpp"

#include <algorithm>
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
  std::atomic<const void*> condition{nullptr};  // of its process
};

struct Waiters {
  Waiter all[256];
  std::atomic<pid_t> passing{0};  // whose thread lets time pass
};

std::atomic<Waiters*> g_waiters{nullptr};

Waiter& free_waiter() {
  for (Waiter& one : g_waiters.load()->all) {
    pid_t expected = 0;
    if (one.process.compare_exchange_strong(expected, ::getpid())) return one;
  }
  std::abort();
}

void give_up(Waiter& one) {
  one.ends_ns = kElsewhere;
  one.condition = nullptr;
  one.process = 0;
}

// The calling thread's, in the process that it was taken in.
struct Own {
  Waiter* waiter = nullptr;
  pid_t process = 0;

  Waiter* get() const { return process == ::getpid() ? waiter : nullptr; }
  void set(Waiter& one) {
    waiter = &one;
    process = ::getpid();
  }
  Waiter& take() {
    if (get() == nullptr) set(free_waiter());
    return *waiter;
  }
  ~Own() {
    if (Waiter* const mine = get()) give_up(*mine);
  }
};
thread_local Own t_own;
thread_local bool t_passes_time = false;  // while it waits

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
  give_up(one);  // it was killed
  return false;
}

// Until all others wait that were made or woken, or the caller's own wait has ended; one that hangs is not waited for.
// Returns whether any ran.
bool let_all_run(const Waiter* own = nullptr) {
  constexpr int kPatience = 500'000;  // 30 s and more
  bool ran = false;
  for (Waiter& one : g_waiters.load()->all) {
    for (int i = 0; runs(one); ++i) {
      if (own != nullptr && own->ends_ns == kRuns) return true;
      ran = true;
      if (i == kPatience) one.ends_ns = kElsewhere;
      rest_truly();
    }
  }
  return ran;
}

// The wait that ends next, and when; it may end itself meanwhile.
struct Next {
  Waiter* waiter = nullptr;
  std::int64_t ends_ns = kElsewhere;
};

Next next_to_end() {
  Next next;
  for (Waiter& one : g_waiters.load()->all) {
    const std::int64_t ends_ns = one.ends_ns;
    if (one.process != 0 && ends_ns >= 0 && ends_ns < next.ends_ns) next = {&one, ends_ns};
  }
  return next;
}

// One thread of all processes at a time.
class Turn {
 public:
  Turn() {
    pid_t holder = 0;
    while (!passing_.compare_exchange_weak(holder, ::getpid())) {
      if (holder == 0 || ::kill(holder, 0) == 0) {
        holder = 0;
        rest_truly();
      }  // else it was killed, and is followed
    }
  }
  ~Turn() { passing_ = 0; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<pid_t>& passing_ = g_waiters.load()->passing;
};

// Time passes until the next wait ends, which it does, or so much; none while one runs that another thread woke meanwhile.
void pass_to_the_next_end(std::int64_t longest_ns) {
  const Turn turn;
  for (Waiter& one : g_waiters.load()->all) {
    if (runs(one)) return;
  }
  Next next = next_to_end();
  const std::int64_t ns = std::min(next.ends_ns - steady_ns(), longest_ns);
  if (ns > 0) pass_time_ns(ns);
  if (next.ends_ns <= steady_ns()) next.waiter->ends_ns.compare_exchange_strong(next.ends_ns, kRuns);
}

int pass_time_while_waiting(pthread_mutex_t* mutex, std::int64_t ends_ns) {
  ::pthread_mutex_unlock(mutex);
  if (!let_all_run() && steady_ns() < ends_ns) pass_to_the_next_end(ends_ns - steady_ns());
  ::pthread_mutex_lock(mutex);
  return steady_ns() < ends_ns ? 0 : ETIMEDOUT;  // the caller looks whether what it waits for has come
}

template <class Function>
Function* true_one(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

auto true_wait() {
  static auto* const found =
      true_one<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const std::timespec*)>("pthread_cond_clockwait");
  return found;
}

auto true_broadcast() {
  static auto* const found = true_one<int(pthread_cond_t*)>("pthread_cond_broadcast");
  return found;
}

using Work = void*(void*);

auto true_create() {
  static auto* const found = true_one<int(pthread_t*, const pthread_attr_t*, Work*, void*)>("pthread_create");
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

// A thread that runs from when it was made on.
struct Beginning {
  Work* work;
  void* argument;
  Waiter* waiter;
};

void* begin(void* given) {
  const Beginning beginning = *static_cast<Beginning*>(given);
  delete static_cast<Beginning*>(given);
  t_own.set(*beginning.waiter);
  return beginning.work(beginning.argument);
}

}  // namespace

void pass_beside_waits(std::int64_t left_ns) {
  const std::int64_t ends_ns = steady_ns() + left_ns;
  Waiter* const own = t_own.get();
  const std::int64_t former = own != nullptr ? own->ends_ns.exchange(ends_ns) : kElsewhere;
  do {
    let_all_run(own);
    const std::int64_t ns = ends_ns - steady_ns();
    if (ns > 0) pass_to_the_next_end(ns);
  } while (steady_ns() < ends_ns);
  if (own != nullptr) own->ends_ns = former;
}

// The waiters of former tests stay: one may just be ending.
void let_sleepers_heed_timed_waits() {
  true_wait();
  true_broadcast();
  true_create();
  if (g_waiters.load() == nullptr) {
    void* const memory = ::mmap(nullptr, sizeof(Waiters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    g_waiters = new (memory) Waiters;
  }
  let_sleepers_pass_time(pass_beside_waits);
}

void let_own_timed_waits_pass_time() {
  t_passes_time = true;
  if (Waiter* const own = t_own.get()) own->ends_ns = kElsewhere;
}

extern "C" {

__attribute__((visibility("default"))) int polyflake_call_clockwait(
    pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
    const std::timespec* until) __asm__("pthread_cond_clockwait");
__attribute__((visibility("default"))) int polyflake_call_broadcast(pthread_cond_t* condition) __asm__(
    "pthread_cond_broadcast");
__attribute__((visibility("default"))) int polyflake_call_create(pthread_t* thread, const pthread_attr_t* attributes,
                                                                 Work* work, void* argument) __asm__("pthread_create");

int polyflake_call_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                             const std::timespec* until) {
  if (g_waiters.load() == nullptr || clock != CLOCK_MONOTONIC) return true_wait()(condition, mutex, clock, until);
  const std::int64_t ends_ns = std::max<std::int64_t>(until->tv_sec * kNsPerSecond + until->tv_nsec, 0);
  if (t_passes_time) return pass_time_while_waiting(mutex, ends_ns);
  Waiter& own = t_own.take();
  own.condition = condition;
  own.ends_ns = ends_ns;
  for (;;) {
    const int result = wait_shortly(condition, mutex);
    const bool over = result == ETIMEDOUT && steady_ns() >= ends_ns;
    if (result == ETIMEDOUT && !over && own.ends_ns != kRuns) continue;
    own.condition = nullptr;
    own.ends_ns = kRuns;
    return over ? ETIMEDOUT : 0;
  }
}

// Those who are woken run from now on, however late a busy machine wakes them.
int polyflake_call_broadcast(pthread_cond_t* condition) {
  if (Waiters* const waiters = g_waiters.load()) {
    for (Waiter& one : waiters->all) {
      if (one.process != ::getpid() || one.condition != condition) continue;
      std::int64_t ends_ns = one.ends_ns;
      if (ends_ns >= 0 && ends_ns != kElsewhere) one.ends_ns.compare_exchange_strong(ends_ns, kRuns);
    }
  }
  return true_broadcast()(condition);
}

int polyflake_call_create(pthread_t* thread, const pthread_attr_t* attributes, Work* work, void* argument) {
  if (g_waiters.load() == nullptr) return true_create()(thread, attributes, work, argument);
  auto* const beginning = new Beginning{work, argument, &free_waiter()};
  beginning->waiter->ends_ns = kRuns;
  const int result = true_create()(thread, attributes, begin, beginning);
  if (result == 0) return 0;
  give_up(*beginning->waiter);
  delete beginning;
  return result;
}

}  // extern "C"

}  // namespace polyflake::test
