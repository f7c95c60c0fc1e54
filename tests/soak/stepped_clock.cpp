// Preloaded into the programs: shifts the time of day by the nanoseconds that stand in the file SOAK_CLOCK names, also
// where it says when a file was changed, and nothing else. A step of a real clock leaves the steady clock and all waits alone; libfaketime bends them too, up to a
// thirtyfold sleep in Java. No lock and no allocation, so that a fork or a kill at any moment does no harm.
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

// Null where nothing is shifted.
volatile const std::int64_t* shift_ns = nullptr;

__attribute__((constructor)) void map_shift() {
  const char* const path = std::getenv("SOAK_CLOCK");
  const int fd = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void* const memory = ::mmap(nullptr, sizeof *shift_ns, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory != MAP_FAILED) shift_ns = static_cast<const std::int64_t*>(memory);
}

void shift(timespec& time) {
  if (shift_ns == nullptr) return;
  const std::int64_t ns = time.tv_sec * kNsPerSecond + time.tv_nsec + *shift_ns;
  const std::int64_t rest = (ns % kNsPerSecond + kNsPerSecond) % kNsPerSecond;
  time = {(ns - rest) / kNsPerSecond, rest};
}

int shifted(clockid_t clock, timespec* time) {
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(*time);
  return result;
}

// A file system notes times by the clock that is stepped.
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
