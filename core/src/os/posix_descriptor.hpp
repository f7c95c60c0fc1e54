// Descriptors that only this execution may keep open.
//
// A lock of flock(2) and the name of a socket live as long as any copy of their descriptor. So a
// child of fork() closes what it inherited before it continues, and any other copy of the process
// does so at its first use of the library.
#pragma once

#include <atomic>
#include <cstdint>

namespace polyflake {

class Descriptor {
 public:
  // Holds nothing yet, but reserves an entry of the list, the only step that can fail. Errors:
  // std::bad_alloc.
  Descriptor();
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // Takes over a descriptor of open(2) or socket(2). Returns false with errno set if it cannot be
  // inspected; then it is closed.
  bool hold(int fd) noexcept;

  int number() const noexcept;

  // Returns false if an application that closes all descriptors has put its own file under this
  // number.
  bool ours() const noexcept;

  // Returns true if the descriptor was opened on this file. Async-signal-safe.
  bool is(std::uint64_t device, std::uint64_t inode) const noexcept;

  // Closes the descriptor. Leaves the number alone in a copy of the process, and if it is not ours
  // any more.
  void close() noexcept;

  // From now on another owner closes it: its number may be that of another file at any moment.
  void give_up() noexcept { closes_ = false; }

  // In a copy of the process: closes what it inherited, without touching what the parent owns.
  // Otherwise does nothing. Async-signal-safe.
  static void close_inherited() noexcept;
  // Closes the descriptors of all executions but this one. Async-signal-safe.
  static void close_all_but(std::uint64_t execution) noexcept;

 private:
  struct Entry;
  static Entry& reserve_entry();

  Entry& entry_;
  const std::uint64_t execution_;
  bool closes_ = true;
};

// Detects a fork() that may have copied the files that this thread has opened since. A descriptor
// is in no list until it is held, and is locked soon after. Like fork handlers, it notices only
// fork().
class ForkWatch {
 public:
  ForkWatch() noexcept;
  bool undisturbed() const noexcept;

 private:
  const std::uint64_t ended_;
};

}  // namespace polyflake
