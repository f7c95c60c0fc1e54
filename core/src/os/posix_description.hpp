// A file or folder as its file system describes it.
#pragma once

#include <cstdint>

namespace polyflake::platform {

struct Description {
  bool plain = false;  // neither a folder nor a pipe, a socket or a device
  std::uint64_t device = 0, inode = 0;
  std::int64_t birth_ns = 0, changed_ns = 0, written_ns = 0;  // birth 0: not recorded by every file system
};

// If a path ends in a symbolic link: describes what the link leads to, or the link itself.
enum class LastLink { followed, described };

// path "": of the open file; else of what it leads to from there (AT_FDCWD). False with errno set on failure.
bool describe(int fd, const char* path, Description& file, LastLink link = LastLink::followed);

}  // namespace polyflake::platform
