// Preloaded into the programs: shifts the time of day, also the times at which files were changed, and nothing else. A step
// of a real clock leaves the steady clock and all waits alone; libfaketime bends them too, up to a thirtyfold sleep in Java.
// No lock and no allocation, so that a fork or a kill at any moment does no harm.
//
// The file that SOAK_CLOCK names holds the number of steps so far, and for each the true time of it and the shift since.
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct Step {
  std::int64_t begin_ns;
  std::int64_t shift_ns;
};

// As written by faults.py.
struct Steps {
  static constexpr std::int64_t kMost = 1 << 16;
  std::int64_t count;
  Step steps[kMost];
};

// Null where nothing is shifted.
const volatile Steps* steps = nullptr;

__attribute__((constructor)) void map_shift() {
  const char* const path = std::getenv("SOAK_CLOCK");
  const int fd = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void* const memory = ::mmap(nullptr, sizeof *steps, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory != MAP_FAILED) steps = static_cast<const Steps*>(memory);
}

// By what was in force at that time.
void shift(timespec& time) {
  if (steps == nullptr) return;
  std::int64_t ns = time.tv_sec * kNsPerSecond + time.tv_nsec;
  std::int64_t at = steps->count - 1;
  while (at > 0 && steps->steps[at].begin_ns > ns) --at;
  if (at >= 0) ns += steps->steps[at].shift_ns;
  const std::int64_t rest = (ns % kNsPerSecond + kNsPerSecond) % kNsPerSecond;
  time = {(ns - rest) / kNsPerSecond, rest};
}

int shifted(clockid_t clock, timespec* time) {
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(*time);
  return result;
}

// A file system notes times by the clock as it was then.
int shifted(int folder, const char* path, struct stat* info, int flags) {
  const auto result = static_cast<int>(::syscall(SYS_newfstatat, folder, path, info, flags));
  if (result == 0) {
    shift(info->st_mtim);
    shift(info->st_ctim);
  }
  return result;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int clock_gettime(clockid_t clock, timespec* time) noexcept { return shifted(clock, time); }

EXPORTED int gettimeofday(timeval* __restrict value, void* __restrict) noexcept {
  timespec now;
  if (shifted(CLOCK_REALTIME, &now) != 0) return -1;
  *value = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

EXPORTED time_t time(time_t* value) noexcept {
  timespec now;
  if (shifted(CLOCK_REALTIME, &now) != 0) return -1;
  if (value != nullptr) *value = now.tv_sec;
  return now.tv_sec;
}

EXPORTED int fstat(int fd, struct stat* info) noexcept { return shifted(fd, "", info, AT_EMPTY_PATH); }

EXPORTED int stat(const char* __restrict path, struct stat* __restrict info) noexcept {
  return shifted(AT_FDCWD, path, info, 0);
}
