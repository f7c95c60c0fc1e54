// One file of the host registry, of a node id or for the folder (`nodes`): a lock, and a durable
// record.
//
// The lock is on the file itself, which is never renamed, so it ends with the process that held it,
// however that ends. The record is kept in two slots written in turn, each with a checksum, so that
// a torn write leaves the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "host/record.hpp"
#include "os/locked_file.hpp"

namespace polyflake {

// The content of a file, and the evidence for believing it.
struct NodeContent {
  Record record;                // of the newer valid slot; count 0: nothing was ever written
  bool damaged = false;         // a slot is invalid and not empty: the newer record may be lost
  bool genuine = false;         // written to this very file, which did not change since
  std::int64_t changed_ns = 0;  // Unix ns of the last change to the file, by the file system
  std::string identity;         // of this very file
};

class NodeFile {
 public:
  using Missing = LockedFile::Missing;

  // Locks a file. Returns null if another process holds it for longer than `patience_ms`, or if it
  // is missing and `missing` is `leave`. Blocks: `patience_ms` at most, and I/O. Errors:
  // registry_unusable.
  static std::unique_ptr<NodeFile> lock(const std::string& path, Missing missing, std::int64_t patience_ms);

  // Returns the present content without taking the lock: only a hint, since another process may be
  // writing. Nothing if the file is missing. Errors: registry_unusable; Unread if a later call may
  // tell.
  static std::optional<NodeContent> look(const std::string& path);

  // Returns "host/pid" of the process that wrote the file last, "" if unknown. Needs no lock.
  static std::string owner(const std::string& path);
  // Returns the same for the process that holds the lock.
  static std::string holder(const std::string& path) { return LockedFile::holder(path); }

  NodeFile(const NodeFile&) = delete;
  NodeFile& operator=(const NodeFile&) = delete;

  const std::string& path() const { return file_.path(); }
  // Returns the content at the time of the lock or of the last write.
  const NodeContent& content() const { return content_; }

  enum class Durable { yes, no };
  // Writes the next record. Refuses if the file is no longer the one at its path, if another
  // process wrote it, or in a copy of the process that locked it. After an error the file must not
  // be trusted again. Blocks: I/O. Errors: registry_unusable.
  void write(std::int64_t until_ms, std::uint64_t used, Durable durable);

  // Makes all writes so far durable, those of this object and later ones of others. Blocks: I/O.
  // Errors: registry_unusable.
  void flush();

  // Lets other processes lock the file. Requires: no write after it.
  void unlock() noexcept { file_.unlock(); }

 private:
  explicit NodeFile(const std::string& path) : file_(path) {}
  void read();
  void check_still_ours() const;

  LockedFile file_;
  // By this object: then unflushed writes of former holders are durable, too.
  bool flushed_ = false;
  NodeContent content_;
};

}  // namespace polyflake
