#include "os/os.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/failure.hpp"
#include "os/owner.hpp"
#include "os/posix_descriptor.hpp"
#include "os/posix_words.hpp"
#include "os/random.hpp"

#if defined(__linux__)
#include <sys/random.h>
#include <sys/syscall.h>
#endif

namespace polyflake::platform {

std::string last_error() {
#if defined(__APPLE__)
  return std::strerror(errno);
#else
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strerror_l(errno, plain);
#endif
}

void random_bytes(void* bytes, std::size_t n) {
#if defined(__linux__)
  ssize_t got;
  do {
    got = ::getrandom(bytes, n, 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(n)) refuse_without_random_bytes();
#else
  ::arc4random_buf(bytes, n);
#endif
}

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return {};
  return name;
}

std::string read_machine_id() {
  const std::string id = first_word_of("/etc/machine-id");
  return id.empty() ? "-" : id.substr(0, 32);
}

std::uint64_t process_number() { return static_cast<std::uint64_t>(::getpid()); }

bool is_running(std::uint64_t process_number) {
  return ::kill(static_cast<pid_t>(process_number), 0) == 0 || errno == EPERM;
}

std::optional<std::string> environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Uncancelled::Uncancelled() noexcept { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former_); }
Uncancelled::~Uncancelled() { ::pthread_setcancelstate(former_, &former_); }

bool tsc_keeps_time() {
  return first_word_of("/sys/devices/system/clocksource/clocksource0/current_clocksource") == "tsc";
}

std::int64_t clock_ns() {
  std::timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

std::int64_t file_clock_ms() {
  struct timespec now;
#if defined(__linux__)
  // Calls the kernel directly: a preloaded library that shifts this process's clock does not shift
  // file times.
  if (::syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now) != 0) ::clock_gettime(CLOCK_REALTIME, &now);
#else
  ::clock_gettime(CLOCK_REALTIME, &now);
#endif
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

// Relative, not absolute: a wall clock that is set back during the sleep must not prolong it.
std::int64_t sleep_ns(std::int64_t ns) {
  std::timespec duration, left;
  duration.tv_sec = static_cast<std::time_t>(ns / 1'000'000'000);
  duration.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  if (::nanosleep(&duration, &left) == 0) return ns;
  return ns - (static_cast<std::int64_t>(left.tv_sec) * 1'000'000'000 + left.tv_nsec);
}

namespace {

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

bool kernel_wipes([[maybe_unused]] void* memory) {
#if defined(MADV_WIPEONFORK) && !defined(POLYFLAKE_NO_WIPEONFORK)
  // An emulator that accepts any advice (QEMU's user mode before 7.0) does not follow this one
  // either.
  constexpr int kNoAdvice = -1;
  if (::madvise(memory, page_size(), kNoAdvice) == 0) return false;
  return ::madvise(memory, page_size(), MADV_WIPEONFORK) == 0;
#else
  return false;
#endif
}

}  // namespace

void* make_wiped_page(void (*wipe)()) {
  void* memory = ::mmap(nullptr, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  if (!kernel_wipes(memory) && wipe != nullptr && ::pthread_atfork(nullptr, nullptr, wipe) != 0) {
    ::munmap(memory, page_size());
    throw std::bad_alloc();
  }
  return memory;
}

void drop_page(void* page) { ::munmap(page, page_size()); }

void close_inherited() noexcept { Descriptor::close_inherited(); }

}  // namespace polyflake::platform
