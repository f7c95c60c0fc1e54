#include "system_calls.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include <dirent.h>
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace polyflake::test {
namespace {

std::atomic<CallHandler> g_handler{nullptr};
std::atomic<long> g_count{0}, g_fail_at{0}, g_stop_at{0};

struct MovedClock {
  std::atomic<std::int64_t> ahead_ns{0}, passed_ns{0}, stopped_ns{0};  // `passed` is part of `ahead`
  std::atomic<std::int64_t> steady_stopped_ns{0};
};
MovedClock g_own_clock;
std::atomic<MovedClock*> g_clock{&g_own_clock};
std::atomic<void (*)(std::int64_t)> g_pass_time{nullptr};  // of sleepers; null: they sleep
std::atomic<int> g_error{0};
std::atomic<unsigned> g_seconds_of_file_times{0};

int count_and_act(const Call& call) {
  const long number = ++g_count;
  if (number == g_stop_at) ::raise(SIGSTOP);
  const bool can_fail = !is(call, "fstat");
  return number == g_fail_at && can_fail ? g_error.load() : leave_out_flushes(call);
}

void begin_region(long fail_at, int error, long stop_at) {
  g_count = 0;
  g_fail_at = fail_at;
  g_error = error;
  g_stop_at = stop_at;
  on_calls(count_and_act);
}

}  // namespace

CallHandler on_calls(CallHandler handler) { return g_handler.exchange(handler); }

void fail_call(long n, int error) { begin_region(n, error, 0); }

void stop_before_call(long n) { begin_region(0, 0, n); }

long calls_made() {
  on_calls(nullptr);
  return g_count;
}

void set_clock_ahead(long seconds) {
  g_clock.load()->ahead_ns = std::int64_t{seconds} * 1'000'000'000;
  ::setenv("POLYFLAKE_TICK_CACHE", "off", 1);
}

void let_sleepers_pass_time(void (*pass)(std::int64_t)) { g_pass_time = pass != nullptr ? pass : pass_time_ns; }

void share_clock() {
  void* const memory = ::mmap(nullptr, sizeof(MovedClock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  auto* const shared = new (memory) MovedClock;
  shared->ahead_ns = g_clock.load()->ahead_ns.load();
  shared->passed_ns = g_clock.load()->passed_ns.load();
  shared->stopped_ns = g_clock.load()->stopped_ns.load();
  shared->steady_stopped_ns = g_clock.load()->steady_stopped_ns.load();
  g_clock = shared;
}

void go_by_the_true_clock() {
  g_own_clock.ahead_ns = 0;
  g_own_clock.passed_ns = 0;
  g_own_clock.stopped_ns = 0;
  g_own_clock.steady_stopped_ns = 0;
  g_clock = &g_own_clock;
  g_pass_time = nullptr;
}

void sleep_truly(int ms) { ::poll(nullptr, 0, ms); }

std::int64_t clock_now_ms() {
  std::timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// The real clock is not asked then: a kernel that computes time in user space begins anew when it was interrupted for
// long, for ever where every instruction is.
void stop_clock() {
  std::timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  g_clock.load()->stopped_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec - g_clock.load()->ahead_ns;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  g_clock.load()->steady_stopped_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec - g_clock.load()->passed_ns;
}

void pass_time_ns(std::int64_t ns) {
  g_clock.load()->ahead_ns += ns;
  g_clock.load()->passed_ns += ns;
}

void pass_time(long seconds) { pass_time_ns(std::int64_t{seconds} * 1'000'000'000); }

void set_clock_forward(long seconds) { g_clock.load()->ahead_ns += std::int64_t{seconds} * 1'000'000'000; }

void record_file_times_in(unsigned seconds) { g_seconds_of_file_times = seconds; }

int leave_out_flushes(const Call& call) { return is(call, "fdatasync") || is(call, "fsync") ? kLeftOut : 0; }

bool is(const Call& call, const char* name) { return std::strcmp(call.name, name) == 0; }

bool concerns(const Call& call, const char* path) {
  if (call.path != nullptr) return std::strcmp(call.path, path) == 0;
  if (call.descriptor < 0) return false;
  char link[64], target[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", call.descriptor);
  const ssize_t size = ::readlink(link, target, sizeof target - 1);
  if (size < 0) return false;
  target[size] = 0;
  return std::strcmp(target, path) == 0;
}

// --- governed by the environment -----------------------------------------------------------------

namespace {

char g_from[PATH_MAX], g_delayed[32];
long g_delay_ms = 0;
std::atomic<bool> g_inside{false};

const char* setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int act_as_told(const Call& call) {
  const bool named = call.path != nullptr && std::strncmp(call.path, g_from, std::strlen(g_from)) == 0;
  if (g_from[0] != 0 && named) g_inside = true;
  if (!g_inside) return 0;
  if (g_delay_ms != 0 && is(call, g_delayed)) sleep_truly(static_cast<int>(g_delay_ms));
  return count_and_act(call);
}

__attribute__((constructor)) void read_the_environment() {
  const char* const from = setting("POLYFLAKE_CALLS_FROM");
  g_stop_at = std::atol(setting("POLYFLAKE_CALLS_STOP_AT"));
  const char* const fail = setting("POLYFLAKE_CALLS_FAIL_AT");
  const char* const colon = std::strchr(fail, ':');
  g_fail_at = std::atol(fail);
  g_error = colon == nullptr ? EIO : std::atoi(colon + 1);
  const char* const delay = setting("POLYFLAKE_CALLS_DELAY");
  if (const char* const at = std::strchr(delay, ':')) {
    std::snprintf(g_delayed, sizeof g_delayed, "%.*s", static_cast<int>(at - delay), delay);
    g_delay_ms = std::atol(at + 1);
  }
  std::snprintf(g_from, sizeof g_from, "%s", from);
  if (from[0] != 0) on_calls(act_as_told);
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) void polyflake_calls_begin() {
  read_the_environment();
  g_count = 0;
  g_inside = true;
  on_calls(act_as_told);
}
__attribute__((visibility("default"))) long polyflake_calls_end() {
  g_inside = false;
  return calls_made();
}
}

// --- the calls -------------------------------------------------------------------------------------

namespace {

int answer_to(const Call& call) {
  const CallHandler handler = g_handler.load(std::memory_order_acquire);
  if (handler == nullptr) return 0;
  const int former = errno;
  const int error = handler(call);
  errno = error > 0 ? error : former;
  return error;
}

template <class Result>
Result without_a_call(int answer, Result failed) {
  return answer == kLeftOut ? Result{} : failed;
}

template <class Function>
Function* next(std::atomic<void*>& found, const char* name) {
  void* function = found.load(std::memory_order_acquire);
  if (function == nullptr) {
    function = ::dlsym(RTLD_NEXT, name);
    if (function == nullptr) std::abort();
    found.store(function, std::memory_order_release);
  }
  return reinterpret_cast<Function*>(function);
}

// Found before main(): a copy of the process must not look symbols up under a lock that it inherited.
struct Sought {
  Sought(std::atomic<void*>& found, const char* name) { found.store(::dlsym(RTLD_NEXT, name)); }
};

}  // namespace

// The symbol is given by a label, since the headers declare these functions in ways that differ between systems.
#define POLYFLAKE_SYSTEM_CALL(label, name, result, failed, parameters, arguments, descriptor, path)           \
  namespace {                                                                                                 \
  std::atomic<void*> g_##label{nullptr};                                                                      \
  const Sought g_sought_##label(g_##label, #label);                                                           \
  }                                                                                                           \
  extern "C" __attribute__((visibility("default"))) result polyflake_call_##label parameters __asm__(#label); \
  extern "C" result polyflake_call_##label parameters {                                                       \
    auto* const real = next<result parameters>(g_##label, #label);                                            \
    const int answer = answer_to(Call{#name, descriptor, path});                                              \
    if (answer != 0) return without_a_call<result>(answer, failed);                                           \
    return real arguments;                                                                                    \
  }

#define POLYFLAKE_BY_PATH(label, name, parameters, arguments) \
  POLYFLAKE_SYSTEM_CALL(label, name, int, -1, parameters, arguments, -1, path)
#define POLYFLAKE_BY_DESCRIPTOR(label, name, result, parameters, arguments) \
  POLYFLAKE_SYSTEM_CALL(label, name, result, -1, parameters, arguments, fd, nullptr)

POLYFLAKE_BY_PATH(open, open, (const char* path, int flags, mode_t mode), (path, flags, mode))
POLYFLAKE_BY_PATH(open64, open, (const char* path, int flags, mode_t mode), (path, flags, mode))
POLYFLAKE_BY_PATH(openat, openat, (int at, const char* path, int flags, mode_t mode), (at, path, flags, mode))
POLYFLAKE_BY_PATH(openat64, openat, (int at, const char* path, int flags, mode_t mode), (at, path, flags, mode))
POLYFLAKE_BY_PATH(stat, stat, (const char* path, void* info), (path, info))
POLYFLAKE_BY_PATH(stat64, stat, (const char* path, void* info), (path, info))
POLYFLAKE_BY_PATH(lstat, lstat, (const char* path, void* info), (path, info))
POLYFLAKE_BY_PATH(lstat64, lstat, (const char* path, void* info), (path, info))
POLYFLAKE_BY_PATH(fstatat, fstatat, (int at, const char* path, void* info, int flags), (at, path, info, flags))
POLYFLAKE_BY_PATH(fstatat64, fstatat, (int at, const char* path, void* info, int flags), (at, path, info, flags))
POLYFLAKE_BY_PATH(mkdir, mkdir, (const char* path, mode_t mode), (path, mode))
POLYFLAKE_BY_PATH(mkdirat, mkdirat, (int at, const char* path, mode_t mode), (at, path, mode))
POLYFLAKE_BY_PATH(unlink, unlink, (const char* path), (path))
POLYFLAKE_BY_PATH(rename, rename, (const char* path, const char* to), (path, to))
POLYFLAKE_BY_PATH(link, link, (const char* path, const char* to), (path, to))

POLYFLAKE_SYSTEM_CALL(fopen, fopen, FILE*, nullptr, (const char* path, const char* mode), (path, mode), -1, path)
POLYFLAKE_SYSTEM_CALL(fopen64, fopen, FILE*, nullptr, (const char* path, const char* mode), (path, mode), -1, path)
POLYFLAKE_SYSTEM_CALL(opendir, opendir, DIR*, nullptr, (const char* path), (path), -1, path)
POLYFLAKE_SYSTEM_CALL(fdopendir, fdopendir, DIR*, nullptr, (int fd), (fd), fd, nullptr)
POLYFLAKE_SYSTEM_CALL(readdir, readdir, void*, nullptr, (DIR * entries), (entries), -1, nullptr)
POLYFLAKE_SYSTEM_CALL(readdir64, readdir, void*, nullptr, (DIR * entries), (entries), -1, nullptr)

POLYFLAKE_BY_DESCRIPTOR(read, read, ssize_t, (int fd, void* bytes, size_t size), (fd, bytes, size))
POLYFLAKE_BY_DESCRIPTOR(pread, pread, ssize_t, (int fd, void* bytes, size_t size, off_t at), (fd, bytes, size, at))
POLYFLAKE_BY_DESCRIPTOR(pread64, pread, ssize_t, (int fd, void* bytes, size_t size, off_t at), (fd, bytes, size, at))
POLYFLAKE_BY_DESCRIPTOR(pwrite, pwrite, ssize_t, (int fd, const void* bytes, size_t size, off_t at),
                        (fd, bytes, size, at))
POLYFLAKE_BY_DESCRIPTOR(pwrite64, pwrite, ssize_t, (int fd, const void* bytes, size_t size, off_t at),
                        (fd, bytes, size, at))
POLYFLAKE_BY_DESCRIPTOR(pwritev, pwritev, ssize_t, (int fd, const iovec* parts, int count, off_t at),
                        (fd, parts, count, at))
POLYFLAKE_BY_DESCRIPTOR(fdatasync, fdatasync, int, (int fd), (fd))
POLYFLAKE_BY_DESCRIPTOR(fsync, fsync, int, (int fd), (fd))
POLYFLAKE_BY_DESCRIPTOR(flock, flock, int, (int fd, int operation), (fd, operation))
POLYFLAKE_BY_DESCRIPTOR(fstat, fstat, int, (int fd, void* info), (fd, info))
POLYFLAKE_BY_DESCRIPTOR(fstat64, fstat, int, (int fd, void* info), (fd, info))
POLYFLAKE_BY_DESCRIPTOR(fstatfs, fstatfs, int, (int fd, void* info), (fd, info))
POLYFLAKE_BY_DESCRIPTOR(fstatfs64, fstatfs, int, (int fd, void* info), (fd, info))
POLYFLAKE_BY_DESCRIPTOR(ftruncate, ftruncate, int, (int fd, off_t size), (fd, size))
POLYFLAKE_BY_DESCRIPTOR(ftruncate64, ftruncate, int, (int fd, off_t size), (fd, size))
POLYFLAKE_BY_DESCRIPTOR(bind, bind, int, (int fd, const void* address, socklen_t size), (fd, address, size))

POLYFLAKE_SYSTEM_CALL(socket, socket, int, -1, (int domain, int type, int protocol), (domain, type, protocol), -1,
                      nullptr)
POLYFLAKE_SYSTEM_CALL(getrandom, getrandom, ssize_t, -1, (void* bytes, size_t size, unsigned flags),
                      (bytes, size, flags), -1, nullptr)
POLYFLAKE_SYSTEM_CALL(mmap, mmap, void*, MAP_FAILED,
                      (void* at, size_t size, int protection, int flags, int fd, off_t offset),
                      (at, size, protection, flags, fd, offset), fd, nullptr)
POLYFLAKE_SYSTEM_CALL(madvise, madvise, int, -1, (void* at, size_t size, int advice), (at, size, advice), -1, nullptr)

namespace {

std::atomic<void*> g_write{nullptr}, g_close{nullptr}, g_clock_gettime{nullptr}, g_nanosleep{nullptr}, g_statx{nullptr};
const Sought g_sought_write(g_write, "write"), g_sought_close(g_close, "close"),
    g_sought_clock_gettime(g_clock_gettime, "clock_gettime"), g_sought_nanosleep(g_nanosleep, "nanosleep"),
    g_sought_statx(g_statx, "statx");

void coarsen(statx_timestamp& time, unsigned seconds) {
  time.tv_sec -= time.tv_sec % seconds;
  time.tv_nsec = 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) ssize_t polyflake_call_write(int fd, const void* bytes,
                                                                    size_t size) __asm__("write");
__attribute__((visibility("default"))) int polyflake_call_close(int fd) __asm__("close");
__attribute__((visibility("default"))) int polyflake_call_clock_gettime(clockid_t clock,
                                                                        std::timespec* time) __asm__("clock_gettime");
__attribute__((visibility("default"))) int polyflake_call_nanosleep(const std::timespec* time,
                                                                    std::timespec* left) __asm__("nanosleep");
__attribute__((visibility("default"))) int polyflake_call_statx(int at, const char* path, int flags, unsigned mask,
                                                                struct statx* file) __asm__("statx");

// What a test says on its output is none of the library's.
ssize_t polyflake_call_write(int fd, const void* bytes, size_t size) {
  if (fd > STDERR_FILENO && answer_to(Call{"write", fd, nullptr}) != 0) return -1;
  return next<ssize_t(int, const void*, size_t)>(g_write, "write")(fd, bytes, size);
}

// Linux closes also where it reports an error.
int polyflake_call_close(int fd) {
  const int error = answer_to(Call{"close", fd, nullptr});
  const int result = next<int(int)>(g_close, "close")(fd);
  if (error == 0) return result;
  errno = error;
  return -1;
}

int polyflake_call_statx(int at, const char* path, int flags, unsigned mask, struct statx* file) {
  const int answer = answer_to(Call{"statx", -1, path});
  if (answer != 0) return without_a_call<int>(answer, -1);
  const int result =
      next<int(int, const char*, int, unsigned, struct statx*)>(g_statx, "statx")(at, path, flags, mask, file);
  const unsigned seconds = g_seconds_of_file_times;
  if (result != 0 || seconds == 0) return result;
  coarsen(file->stx_ctime, seconds);
  coarsen(file->stx_mtime, seconds);
  return result;
}

int polyflake_call_clock_gettime(clockid_t clock, std::timespec* time) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const MovedClock& moved = *g_clock.load();
  const bool is_wall = clock == CLOCK_REALTIME;
  const bool is_steady = clock == CLOCK_MONOTONIC;
  const std::int64_t ahead_ns = is_wall ? moved.ahead_ns.load() : is_steady ? moved.passed_ns.load() : 0;
  std::int64_t ns = is_wall ? moved.stopped_ns.load() : is_steady ? moved.steady_stopped_ns.load() : 0;
  if (ns == 0) {
    const int result = next<int(clockid_t, std::timespec*)>(g_clock_gettime, "clock_gettime")(clock, time);
    if (result != 0 || ahead_ns == 0) return result;
    ns = time->tv_sec * kNsPerSecond + time->tv_nsec;
  }
  time->tv_sec = (ns + ahead_ns) / kNsPerSecond;
  time->tv_nsec = (ns + ahead_ns) % kNsPerSecond;
  return 0;
}

int polyflake_call_nanosleep(const std::timespec* time, std::timespec* left) {
  void (*const pass)(std::int64_t) = g_pass_time.load();
  if (pass == nullptr) return next<int(const std::timespec*, std::timespec*)>(g_nanosleep, "nanosleep")(time, left);
  pass(time->tv_sec * 1'000'000'000 + time->tv_nsec);
  return 0;
}

}  // extern "C"

}  // namespace polyflake::test
