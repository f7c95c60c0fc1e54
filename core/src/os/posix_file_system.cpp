#include "os/posix_file_system.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/vfs.h>
#endif

namespace polyflake::platform {

#if defined(__linux__)
namespace {

constexpr FileSystem kUnknown = {true, false};  // hence not trusted

FileSystem judged(const struct statfs& info) {
  // From linux/magic.h and statfs(2): NFS, SMB, CIFS, SMB2, 9P, AFS, Ceph, Lustre, GPFS, BeeGFS,
  // OCFS2, GFS2, vboxsf.
  constexpr std::uint32_t kShared[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x01021997,
                                       0x5346414f, 0x00c36400, 0x0bd00bd0, 0x47504653, 0x19830326,
                                       0x7461636f, 0x01161970, 0x786f4256};
  constexpr std::uint32_t kOverlay = 0x794c7630;
  const auto magic = static_cast<std::uint32_t>(info.f_type);
  for (const std::uint32_t shared : kShared) {
    if (magic == shared) return {true, false};
  }
  return {false, magic == kOverlay};
}

}  // namespace

FileSystem file_system(int fd) {
  struct statfs info;
  return ::fstatfs(fd, &info) == 0 ? judged(info) : kUnknown;
}

FileSystem file_system(const std::string& path) {
  struct statfs info;
  for (std::string nearest = path; !nearest.empty(); nearest.resize(nearest.rfind('/'))) {
    if (::statfs(nearest.c_str(), &info) == 0) return judged(info);
  }
  return ::statfs("/", &info) == 0 ? judged(info) : kUnknown;
}
#else
FileSystem file_system(int) { return {false, false}; }
FileSystem file_system(const std::string&) { return {false, false}; }
#endif

}  // namespace polyflake::platform
