#include "broken_disk.hpp"

#include <cerrno>

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

std::atomic<Broken> g_broken{Broken::none};

extern "C" {

__attribute__((visibility("default"))) ssize_t pwritev(int fd, const struct iovec* pieces, int, off_t offset) {
  if (g_broken == Broken::write) return errno = ENOSPC, -1;
  const size_t size = g_broken == Broken::torn_write ? pieces->iov_len / 2 : pieces->iov_len;
  return ::syscall(SYS_pwrite64, fd, pieces->iov_base, size, offset);
}

__attribute__((visibility("default"))) int fdatasync(int fd) {
  if (g_broken == Broken::flush) return errno = EIO, -1;
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

}  // extern "C"
