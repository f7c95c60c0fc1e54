#include "os/posix_description.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace polyflake::platform {

#if !defined(__linux__) || !defined(STATX_BTIME)
namespace {

std::int64_t in_ns(const struct timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

#if defined(__APPLE__)
std::int64_t change_ns(const struct stat& info) { return in_ns(info.st_ctimespec); }
std::int64_t entries_ns(const struct stat& info) { return in_ns(info.st_mtimespec); }
#else
std::int64_t change_ns(const struct stat& info) { return in_ns(info.st_ctim); }
std::int64_t entries_ns(const struct stat& info) { return in_ns(info.st_mtim); }
#endif

}  // namespace
#endif

bool describe(int fd, const char* path, Description& file, LastLink link) {
#if defined(__linux__) && defined(STATX_BTIME)
  struct statx found;
  const int flags = (*path == '\0' ? AT_EMPTY_PATH : 0) | (link == LastLink::described ? AT_SYMLINK_NOFOLLOW : 0);
  if (::statx(fd, path, flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return false;
  const auto ns = [](const struct statx_timestamp& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  };
  file = {S_ISREG(found.stx_mode), std::uint64_t{found.stx_dev_major} << 32 | found.stx_dev_minor,
          found.stx_ino,           (found.stx_mask & STATX_BTIME) != 0 ? ns(found.stx_btime) : 0,
          ns(found.stx_ctime),     ns(found.stx_mtime)};
#else
  struct stat found;
  const auto stat_path = link == LastLink::described ? ::lstat : ::stat;
  if ((*path == '\0' ? ::fstat(fd, &found) : stat_path(path, &found)) != 0) return false;
  file = {S_ISREG(found.st_mode), static_cast<std::uint64_t>(found.st_dev), found.st_ino, 0, change_ns(found),
          entries_ns(found)};
#endif
  return true;
}

}  // namespace polyflake::platform
