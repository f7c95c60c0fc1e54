// One file of the host registry: of a node id, or `nodes`, which speaks for the folder. A lock, and a durable record.
//
// The lock is on the file itself, which is never renamed, so it ends with the process that held it, however that
// ends. The record is kept in two slots written in turn, each with a checksum, so that a torn write leaves the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "host/record.hpp"
#include "os/locked_file.hpp"

namespace polyflake {

// What a file says, and whether that can be believed.
struct NodeContent {
  Record record;                // of the newer valid slot; count 0: nothing was ever written
  bool damaged = false;         // a slot is invalid and not empty: the newer record may be lost
  bool genuine = false;         // written to this very file, and nothing has changed the file since
  std::int64_t changed_ms = 0;  // Unix ms of the last change to the file, as the file system has it
  std::string identity;         // of this very file
};

class NodeFile {
 public:
  using Missing = LockedFile::Missing;

  // Locks a file; null when another process holds it for longer than `patience_ms`, or it is missing and to be left so.
  // Blocks for `patience_ms` at most, and I/O. Errors: registry_unusable.
  static std::unique_ptr<NodeFile> lock(const std::string& path, Missing missing, std::int64_t patience_ms);

  // What a file says now, without its lock: a hint, for it may be written meanwhile. Nothing when it is missing.
  // Errors: registry_unusable; Unread, where a later call may tell.
  static std::optional<NodeContent> look(const std::string& path);

  // "host/pid" of whoever wrote the file last, "" when unknown. Needs no lock.
  static std::string owner(const std::string& path);
  // The same of the process that holds its lock.
  static std::string holder(const std::string& path) { return LockedFile::holder(path); }

  NodeFile(const NodeFile&) = delete;
  NodeFile& operator=(const NodeFile&) = delete;

  const std::string& path() const { return file_.path(); }
  // As of the time of the lock or the last write.
  const NodeContent& content() const { return content_; }

  enum class Durable { yes, no };
  // Writes the next record, unless the file is no longer the one at its path, or was written by somebody else, or this is a
  // copy of the process that locked it. After an error the file must not be trusted again. Blocks: I/O.
  // Errors: registry_unusable.
  void write(std::int64_t until_ms, std::uint64_t used, Durable durable);

  // Makes durable what was written, by this object or since by others. Blocks: I/O. Errors: registry_unusable.
  void flush();

  // Lets others lock the file: it is not written any more.
  void unlock() noexcept { file_.unlock(); }

 private:
  explicit NodeFile(const std::string& path) : file_(path) {}
  void read();
  void check_still_ours() const;

  LockedFile file_;
  bool flushed_ = false;  // by this object: what former holders wrote and did not flush is durable
  NodeContent content_;
};

}  // namespace polyflake
