// A file or folder as its file system describes it.
#pragma once

#include <cstdint>

namespace polyflake::platform {

struct Description {
  bool plain = false;  // not a folder, pipe, socket or device
  std::uint64_t device = 0, inode = 0;
  // birth_ns 0: not every file system records it.
  std::int64_t birth_ns = 0, changed_ns = 0, written_ns = 0;
};

// If a path ends in a symbolic link: describe its target, or the link itself.
enum class LastLink { followed, described };

// Describes the file at `path`, relative to the folder `fd` (or AT_FDCWD); "" means the open file
// itself. Returns false with errno set on failure.
bool describe(int fd, const char* path, Description& file, LastLink link = LastLink::followed);

}  // namespace polyflake::platform
