// Which files of a registry somebody holds locked, as a stranger finds out.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "../core/node_files.hpp"

namespace polyflake::test {

inline bool is_locked(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  return locked;
}

// Their names inside the layout's folder: node ids, mostly.
inline std::set<std::string> locked_files(const std::string& home, const Layout& layout) {
  std::set<std::string> locked;
  const auto folder = std::filesystem::path(node_path(home, layout, 0)).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (is_locked(entry.path())) locked.insert(entry.path().filename());
  }
  return locked;
}

}  // namespace polyflake::test
