// A file of the host registry at the level of the operating system: a lock that ends with the
// process, however that ends, and writes that no copy of the process can make.
#pragma once

#include <polyflake/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

// The identity of a file and the size of the part that was read.
struct FileView {
  std::string identity;         // of this file on this machine: a copy of the file differs
  std::int64_t changed_ns = 0;  // Unix ns of the last change to content or names, as recorded
  std::size_t size = 0;         // bytes read
};

// The file exists but cannot be read now, for example because the process has no free descriptor.
// Code: registry_unusable.
class Unread : public Error {
 public:
  explicit Unread(const std::string& why) : Error(ErrorCode::registry_unusable, why) {}
};

class LockedFile {
 public:
  static constexpr std::size_t kSlotSize = 512;
  static constexpr std::size_t kLargestSlot = 1024;

  enum class Missing { make, leave };
  // held: by another process, or another object of this one
  enum class Try { locked, held, missing };

  explicit LockedFile(std::string path);
  ~LockedFile();  // unlocks and closes; in a copy of the process neither
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  const std::string& path() const { return path_; }

  // Opens a plain file and locks it. Errors (of this and all below): registry_unusable, naming the
  // file.
  Try try_lock(Missing missing);

  // Returns true if several hosts share the file system: a lock of this host does not bind the
  // others.
  bool is_shared() const;

  // Reads at most `most` bytes from the beginning.
  FileView read(char* bytes, std::size_t most) const;
  // Reads the same without the lock. Returns nothing if the file is missing.
  // Errors: registry_unusable; Unread if a later call may succeed.
  static std::optional<FileView> look(const std::string& path, char* bytes, std::size_t most);

  // Raises an error unless the path still leads to this file, and the file is still open.
  void check_at_path() const;

  // Raises forked_generator in a copy of the process.
  void check_execution() const;

  // Must be called once before write(). slot_size: of each slot, at most kLargestSlot.
  void prepare_writing(std::size_t slot_size = kSlotSize);

  // Writes a slot of exactly that many bytes. In a copy of the process, even one made between any
  // two instructions of this call, it fails and writes nothing.
  // Pages apart, so that no single write touches both.
  static constexpr std::size_t kSlotOffsets[] = {0, 4096};
  void write(std::string_view slot, std::uint64_t offset);

  // Writes the content through to the medium. Needs no lock.
  void flush();

  // Releases the lock and keeps the file open.
  void unlock() noexcept;

  // Returns "host/pid" of the process that holds the lock of a file; "" if the system does not
  // tell.
  static std::string holder(const std::string& path);

  // Returns for how many ms the lock of a terminated process may still be held.
  static std::int64_t lingers_ms();

 private:
  struct System;

  const std::string path_;
  [[maybe_unused]] const std::uint64_t execution_;  // unused on systems without fork()
  const std::unique_ptr<System> system_;
};

}  // namespace polyflake
