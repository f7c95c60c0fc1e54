// What tests ask of the operating system, the same on each.
#pragma once

#if defined(_WIN32)
#include "windows_system.hpp"
#else
#include "posix_system.hpp"
#endif

namespace polyflake::test {

// A file in memory: what was written there survives the process, however that ends.
class MappedFile {
 public:
  // Makes the file so large; 0: as it is.
  MappedFile(const std::string& path, std::size_t size) : size_(size), memory_(map_file(path, size_)) {}
  ~MappedFile() { unmap_file(memory_, size_); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  void* memory() const { return memory_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  void* memory_;
};

}  // namespace polyflake::test
