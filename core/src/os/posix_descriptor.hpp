// Descriptors that this execution alone may keep open.
//
// A lock of flock(2) and the name of a socket live as long as any copy of their descriptor. So a child made by fork()
// closes what it inherited before it runs on, and any other copy of the process at its first use of the library.
#pragma once

#include <atomic>
#include <cstdint>

namespace polyflake {

class Descriptor {
 public:
  Descriptor();  // holds nothing yet; what can fail, a place in the list, is had by now. Errors: std::bad_alloc
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // Takes over what open(2) or socket(2) returned. False with errno set where it cannot be inspected; then it is closed.
  bool hold(int fd) noexcept;

  int number() const noexcept;

  // False where an application that closes all descriptors has put its own file under this number.
  bool ours() const noexcept;

  // Whether it was opened on this file. Async-signal-safe.
  bool is(std::uint64_t device, std::uint64_t inode) const noexcept;

  // In a copy of the process, and where it is not ours any more: leaves the number alone.
  void close() noexcept;

  // In a copy of the process: closes what it inherited, without touching what the parent owns; elsewhere nothing.
  // Async-signal-safe.
  static void close_inherited() noexcept;
  // The same, of all executions but one.
  static void close_all_but(std::uint64_t execution) noexcept;

 private:
  struct Place;
  static Place& reserve_place();

  Place& place_;
  const std::uint64_t execution_;
};

// Whether a fork() may have copied what this thread opened since: it is in no list until it is held, and is locked soon
// after. Knows of fork() alone, as handlers do.
class ForkWatch {
 public:
  ForkWatch() noexcept;
  bool undisturbed() const noexcept;

 private:
  const std::uint64_t ended_;
};

}  // namespace polyflake
