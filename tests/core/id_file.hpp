// Ids in a file that is mapped into memory: what was appended survives a kill -9 of the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polyflake::test {

// The first word is the number of ids that follow.
class IdFile {
 public:
  // Makes the file large enough for so many ids; it is sparse.
  IdFile(const std::string& path, std::size_t capacity) : size_((capacity + 1) * sizeof(std::uint64_t)) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ::ftruncate(fd, static_cast<off_t>(size_)) != 0) std::abort();
    map(fd);
  }
  // Opens what another process wrote.
  explicit IdFile(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || ::fstat(fd, &info) != 0) std::abort();
    size_ = static_cast<std::size_t>(info.st_size);
    map(fd);
  }
  ~IdFile() { ::munmap(words_, size_); }
  IdFile(const IdFile&) = delete;
  IdFile& operator=(const IdFile&) = delete;

  std::size_t count() const { return words_[0].load(std::memory_order_acquire); }
  std::size_t capacity() const { return size_ / sizeof(std::uint64_t) - 1; }
  std::uint64_t operator[](std::size_t i) const { return words_[i + 1].load(std::memory_order_relaxed); }

  // For one writer.
  void append(std::uint64_t id) {
    const std::size_t at = count();
    words_[at + 1].store(id, std::memory_order_relaxed);
    words_[0].store(at + 1, std::memory_order_release);
  }

 private:
  void map(int fd) {
    void* const memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);
    if (memory == MAP_FAILED) std::abort();
    words_ = static_cast<std::atomic<std::uint64_t>*>(memory);
  }

  std::size_t size_ = 0;
  std::atomic<std::uint64_t>* words_ = nullptr;
};

}  // namespace polyflake::test
