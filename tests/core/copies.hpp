// Copies of this process, made in every way Linux knows, and what they report back.
#pragma once

#include "host/registry.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect_error.hpp"

namespace polyflake::test {

using Fork = pid_t (*)();

inline pid_t plain_fork() { return ::fork(); }

// No atfork handlers run.
inline pid_t bare_fork() { return ::_Fork(); }

// Not even the C library knows.
inline pid_t raw_clone() {
  return static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

// Those that this build of the core notices.
#if defined(POLYFLAKE_NO_WIPEONFORK)
constexpr Fork kForks[] = {plain_fork};
#else
constexpr Fork kForks[] = {plain_fork, bare_fork, raw_clone};
#endif

// Those that a process with more threads makes. A copy keeps the locks of ThreadSanitizer's own memory as it found them, and hangs
// in malloc() if another thread held one: there are none under it, and the other builds have them all.
#if defined(__SANITIZE_THREAD__)
inline const std::vector<Fork> kForksBesideThreads;
#else
inline const std::vector<Fork> kForksBesideThreads = {plain_fork, bare_fork, raw_clone};
#endif

struct Copy {
  pid_t pid;
  int from;  // what it says
};

// Begins the work in a copy of this process, which ends with _exit, unless the work ends it.
inline Copy start_copy(Fork fork, const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  const pid_t pid = fork();
  if (pid == 0) {
    constexpr unsigned kLongestSeconds = 60;
    ::alarm(kLongestSeconds);
    std::string said;
    const std::string failure = error_of([&] { said = work(); });
    if (failure != "none") said = failure;
    if (::write(ends[1], said.data(), said.size()) < 0) std::abort();
    ::_exit(0);
  }
  ::close(ends[1]);
  return {pid, ends[0]};
}

// What the work returned there, or "<code>: <message>" of the Error it raised. A copy that hangs is ended by SIGALRM, which
// its status shows.
inline std::string said_by(const Copy& copy) {
  std::string said;
  char buffer[512];
  for (ssize_t size; (size = ::read(copy.from, buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(size));
  ::close(copy.from);
  int status = 0;
  ::waitpid(copy.pid, &status, 0);
  return status == 0 ? said : said + " (status " + std::to_string(status) + ")";
}

inline std::string in_copy(Fork fork, const std::function<std::string()>& work) {
  return said_by(start_copy(fork, work));
}

// Gives the registry files for node ids 0 to count - 1 whose marks have passed, so that nobody waits out
// the quarantine of new ones.
inline void prepare_node_ids(const std::string& home, const Layout& layout, std::uint64_t count) {
  const ManualClock long_ago(SystemClock::read_ms() - 3'600'000);
  HostRegistry registry(home, layout, &long_ago);
  for (std::uint64_t node = 0; node < count; ++node) registry.acquire(node);
}

}  // namespace polyflake::test
