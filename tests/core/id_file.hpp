// Ids in a file that is mapped into memory: what was appended survives a kill -9 of the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "system.hpp"

namespace polyflake::test {

// The first word is the number of ids that follow.
class IdFile {
 public:
  // Makes the file large enough for so many ids; it is sparse.
  IdFile(const std::string& path, std::size_t capacity) : file_(path, (capacity + 1) * sizeof(std::uint64_t)) {}
  // Opens what another process wrote.
  explicit IdFile(const std::string& path) : file_(path, 0) {}

  std::size_t count() const { return words()[0].load(std::memory_order_acquire); }
  std::size_t capacity() const { return file_.size() / sizeof(std::uint64_t) - 1; }
  std::uint64_t operator[](std::size_t i) const { return words()[i + 1].load(std::memory_order_relaxed); }

  // For one writer.
  void append(std::uint64_t id) {
    const std::size_t at = count();
    words()[at + 1].store(id, std::memory_order_relaxed);
    words()[0].store(at + 1, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t>* words() const { return static_cast<std::atomic<std::uint64_t>*>(file_.memory()); }

  const MappedFile file_;
};

}  // namespace polyflake::test
