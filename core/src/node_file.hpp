// One file of the host registry: the lock on a node id, and its durable time mark.
//
// The lock is flock(2) on the file itself, which is never renamed, so it ends with the process that held
// it, however that ends. The mark, `until`, is kept in two slots written in turn, each with a checksum, so
// that a torn write leaves the other. Records are readable text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace polyflake {

// The content of a slot.
struct NodeRecord {
  std::uint64_t count = 0;     // writes so far; the larger of two valid slots is the present one
  std::int64_t until_ms = 0;   // Unix ms: nothing was or will be stamped at or after it
  std::string nonce;           // 32 hex digits, fresh for every write
  std::string incarnation;     // which file this is: device, inode, birth time, machine; a copy is another one
  std::string owner;           // host name and pid, for people
};

class NodeFile {
 public:
  enum class Missing { make, leave };

  // Locks the file of a node id; null when another process holds it, or it is missing and to be left so.
  // Errors: registry_unusable.
  static std::unique_ptr<NodeFile> try_lock(const std::string& path, Missing missing);

  // "host/pid" of whoever wrote the file last, "" when unknown. Needs no lock.
  static std::string owner(const std::string& path);

  ~NodeFile();  // closes, which unlocks unless a copy of the process still has it open
  NodeFile(const NodeFile&) = delete;
  NodeFile& operator=(const NodeFile&) = delete;

  // True when nothing was ever written here.
  bool blank() const { return record_.count == 0; }
  // True when the record was written to this very file, not to one that this is a copy of.
  bool genuine() const { return record_.incarnation == incarnation_; }
  std::int64_t until_ms() const { return record_.until_ms; }

  enum class Durable { yes, no };
  // Writes the next record. Checks first that the file is still the one at its path and that nobody else
  // wrote to it. After an error the file must not be trusted again.
  // Errors: registry_unusable.
  void write(std::int64_t until_ms, Durable durable);

  // Closes without unlocking what a parent process holds. Async-signal-safe.
  void abandon() noexcept;

 private:
  NodeFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  void identify();
  void read();
  void check_still_ours();

  std::string path_;
  int fd_;
  std::uint64_t device_ = 0, inode_ = 0;  // of what fd_ was opened on
  bool flushed_ = false;                  // by this object: what former holders wrote and did not flush is durable
  std::string incarnation_;
  NodeRecord record_;
};

}  // namespace polyflake
