#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polyflake::test {

// Files that somebody holds locked can be removed and renamed.
constexpr bool kHeldFilesCanBeRemoved = true;
// Processes that a test starts at once, where it is about many.
constexpr int kManyProcesses = 200;
// Where no folder can be made, and paths that are well-formed.
constexpr const char* kImpossibleFolder = "/proc/polyflake";
constexpr const char* kNoFolder = "/dev/null/nowhere";
constexpr const char* kSomewhere = "/somewhere";
constexpr const char* kElsewhere = "/state";

inline void set_variable(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }
inline void unset_variable(const char* name) { ::unsetenv(name); }

inline std::string make_temporary_folder() {
  std::string path = (std::filesystem::temp_directory_path() / "polyflake-test-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) std::abort();
  return path;
}

inline std::uint64_t this_process() { return static_cast<std::uint64_t>(::getpid()); }

// To the standard output, at once and in one piece.
inline void write_out(const std::string& text) {
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) std::abort();
}

// Maps a file that it makes so large; 0: as large as it is, which `size` then says.
inline void* map_file(const std::string& path, std::size_t& size) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | (size == 0 ? 0 : O_CREAT), 0600);
  struct stat info;
  if (fd < 0 || (size != 0 && ::ftruncate(fd, static_cast<off_t>(size)) != 0) || ::fstat(fd, &info) != 0) std::abort();
  size = static_cast<std::size_t>(info.st_size);
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory == MAP_FAILED) std::abort();
  return memory;
}
inline void unmap_file(void* memory, std::size_t size) { ::munmap(memory, size); }

}  // namespace polyflake::test
