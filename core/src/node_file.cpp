#include "node_file.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

#include "ascii.hpp"
#include "fnv1a.hpp"
#include "platform.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polyflake {
namespace {

constexpr std::size_t kSlotSize = 512;
constexpr off_t kSlotOffsets[] = {0, 4096};  // pages apart, so that no single write touches both
constexpr std::string_view kFormat = "polyflake-node 1";

[[noreturn]] void fail(const std::string& path, const char* action) {
  const int error = errno;
  throw Error(ErrorCode::registry_unusable, std::string("cannot ") + action + " '" + path + "': " +
                                                std::generic_category().message(error));
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::registry_unusable, "'" + path + "' " + reason);
}

std::string checksum(std::string_view text) { return to_text(fnv1a(text), "hex"); }

std::string print(const NodeRecord& record) {
  std::string text(kFormat);
  text += "\ncount=" + std::to_string(record.count);
  text += "\nuntil_ms=" + std::to_string(record.until_ms);
  text += "\nnonce=" + record.nonce;
  text += "\nincarnation=" + record.incarnation;
  text += "\nowner=" + record.owner + "\n";
  text += "sum=" + checksum(text) + "\n";
  text.resize(kSlotSize, ' ');
  return text;
}

// The value of the next line, which must be key=value.
std::string_view take(std::string_view& text, std::string_view key) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || text.substr(0, key.size()) != key || text[key.size()] != '=') return {};
  const std::string_view value = text.substr(key.size() + 1, end - key.size() - 1);
  text.remove_prefix(end + 1);
  return value;
}

std::optional<NodeRecord> parse(std::string_view slot) {
  const std::string_view whole = slot;
  if (slot.substr(0, kFormat.size()) != kFormat || slot.size() <= kFormat.size()) return std::nullopt;
  slot.remove_prefix(kFormat.size() + 1);
  const auto count = ascii::decimal(take(slot, "count"));
  const auto until_ms = ascii::decimal(take(slot, "until_ms"));
  NodeRecord record;
  record.nonce = take(slot, "nonce");
  record.incarnation = take(slot, "incarnation");
  record.owner = take(slot, "owner");
  const std::string_view summed = whole.substr(0, whole.size() - slot.size());
  if (take(slot, "sum") != checksum(summed) || !count || !until_ms || *until_ms > INT64_MAX) return std::nullopt;
  record.count = *count;
  record.until_ms = static_cast<std::int64_t>(*until_ms);
  return record;
}

// Never written, or written but lost with the power before it was durable: nothing was promised by it.
bool is_empty(std::string_view slot) { return slot.find_first_not_of('\0') == std::string_view::npos; }

// The newer valid slot. A file with content but no valid slot is corrupt: what was promised is unknown.
NodeRecord newest_record(int fd, const std::string& path) {
  std::optional<NodeRecord> newest;
  bool written = false;
  for (const off_t offset : kSlotOffsets) {
    char slot[kSlotSize];
    const ssize_t size = ::pread(fd, slot, sizeof slot, offset);
    if (size < 0) fail(path, "read");
    const std::string_view content(slot, static_cast<std::size_t>(size));
    written = written || !is_empty(content);
    const auto record = parse(content);
    if (record && (!newest || record->count > newest->count)) newest = record;
  }
  if (!newest && written) {
    refuse(path, "is corrupt: neither of its two records is valid. Its node id stays unused; remove the file when "
                 "no process has used it for a day");
  }
  return newest.value_or(NodeRecord{});
}

}  // namespace

std::unique_ptr<NodeFile> NodeFile::try_lock(const std::string& path, Missing missing) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (missing == Missing::make ? O_CREAT : 0);
  const int fd = ::open(path.c_str(), flags, 0600);
  if (fd < 0) {
    if (errno == ENOENT && missing == Missing::leave) return nullptr;
    fail(path, "open");
  }
  std::unique_ptr<NodeFile> file(new NodeFile(path, fd));
  file->identify();
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return nullptr;
    fail(path, "lock");
  }
  file->read();
  return file;
}

std::string NodeFile::owner(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return {};
  NodeFile file(path, fd);
  try {
    file.identify();
    return newest_record(fd, path).owner;
  } catch (const Error&) {
    return {};  // a label for a message; the file is not ours to judge
  }
}

NodeFile::~NodeFile() { abandon(); }

void NodeFile::abandon() noexcept {
  struct stat opened;
  // An application that closes all descriptors may have its own file under this number by now.
  const bool ours = fd_ >= 0 && ::fstat(fd_, &opened) == 0 && opened.st_dev == device_ && opened.st_ino == inode_;
  if (ours) ::close(fd_);
  fd_ = -1;
}

void NodeFile::identify() {
  struct stat opened;
  if (::fstat(fd_, &opened) != 0) fail(path_, "inspect");
  device_ = opened.st_dev;
  inode_ = opened.st_ino;
}

void NodeFile::read() {
  if (platform::is_shared_file_system(fd_)) {
    refuse(path_, "is on a network file system, where this host's lock means nothing to other hosts. Point "
                  "POLYFLAKE_HOME at a local folder");
  }
  incarnation_ = platform::file_incarnation(fd_);
  record_ = newest_record(fd_, path_);
}

void NodeFile::check_still_ours() {
  struct stat at_path, opened;
  if (::fstat(fd_, &opened) != 0) fail(path_, "inspect");
  if (::stat(path_.c_str(), &at_path) != 0) fail(path_, "find");
  if (opened.st_ino != inode_ || opened.st_dev != device_) refuse(path_, "was closed by somebody else");
  if (at_path.st_ino != inode_ || at_path.st_dev != device_) {
    refuse(path_, "was replaced while this process used it");
  }
  if (newest_record(fd_, path_).nonce != record_.nonce) {
    refuse(path_, "was written by somebody else while this process held its lock");
  }
}

void NodeFile::write(std::int64_t until_ms, Durable durable) {
  check_still_ours();
  NodeRecord next;
  next.count = record_.count + 1;
  next.until_ms = until_ms;
  next.nonce = platform::random_hex_128();
  next.incarnation = incarnation_;
  next.owner = platform::owner_label();
  const std::string slot = print(next);
  if (slot.size() != kSlotSize) refuse(path_, "cannot hold its record");
  if (!flushed_ && durable == Durable::yes) {
    // A record given back without a flush must not be the slot that a torn write here leaves.
    if (!platform::flush(fd_)) fail(path_, "flush");
    if (!platform::flush_folder_of(path_)) fail(path_, "flush the folder of");
    flushed_ = true;
  }
  if (::pwrite(fd_, slot.data(), slot.size(), kSlotOffsets[next.count % 2]) != static_cast<ssize_t>(slot.size())) {
    fail(path_, "write");
  }
  if (durable == Durable::yes && !platform::flush(fd_)) fail(path_, "flush");
  record_ = std::move(next);
}

}  // namespace polyflake
