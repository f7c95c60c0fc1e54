// A file of the host registry, as the operating system sees it: a lock that ends with the process, however that ends, and
// writes that no copy of the process can make.
#pragma once

#include <polyflake/error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

// What a file is and how much of it was read.
struct FileView {
  std::string identity;         // which file of which machine: a copy has another one
  std::int64_t changed_ms = 0;  // Unix ms of the last change to its content or names, by the file system
  std::size_t size = 0;         // bytes read
};

// The file is there and cannot be read for now, by a process without free descriptors for instance. Code: registry_unusable.
class Unread : public Error {
 public:
  explicit Unread(const std::string& why) : Error(ErrorCode::registry_unusable, why) {}
};

class LockedFile {
 public:
  enum class Missing { make, leave };
  enum class Try { locked, held, missing };  // held: by another process, or another object of this one

  explicit LockedFile(std::string path);
  ~LockedFile();  // unlocks and closes; in a copy of the process neither
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  const std::string& path() const { return path_; }

  // Opens the file, a plain one, and locks it. Errors (of this and all below): registry_unusable, naming the file.
  Try try_lock(Missing missing);

  // Whether hosts share the file system, to which this host's lock means nothing.
  bool is_shared() const;

  // Reads from the beginning, at most so many bytes.
  FileView read(char* bytes, std::size_t most) const;
  // The same without its lock; nothing when it is missing. Errors: registry_unusable; Unread, where a later call may tell.
  static std::optional<FileView> look(const std::string& path, char* bytes, std::size_t most);

  // Raises an error unless the path still leads to this file, and the file is still open.
  void check_at_path() const;

  // Raises forked_generator in a copy of the process.
  void check_execution() const;

  // Needed once before write().
  void prepare_writing();

  // Writes a slot, of exactly so many bytes. In a copy of the process, even one made between any two instructions of this
  // call, it fails and writes nothing.
  static constexpr std::size_t kSlotSize = 512;
  static constexpr std::size_t kSlotOffsets[] = {0, 4096};  // pages apart, so that no single write touches both
  void write(std::string_view slot, std::uint64_t offset);

  // Puts the content on the medium; needs no lock.
  void flush();

  // Gives the lock back and keeps the file open.
  void unlock() noexcept;

  // "host/pid" of the process that holds the lock of a file, as far as the system tells; "" if that is not known.
  static std::string holder(const std::string& path);

  // For how long the lock of a process that was ended may still be held.
  static std::int64_t lingers_ms();

 private:
  struct System;

  const std::string path_;
  [[maybe_unused]] const std::uint64_t execution_;  // where there are copies of a process
  const std::unique_ptr<System> system_;
};

}  // namespace polyflake
