#include "host/node_file.hpp"

#include <polyflake/clock.hpp>
#include <polyflake/error.hpp>
#include <polyflake/detail/execution.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "os/os.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace polyflake {
namespace {

constexpr std::size_t kSlotOffsets[] = {0, 4096};  // pages apart, so that no single write touches both

[[noreturn]] void fail(const std::string& path, const char* action) {
  const int error = errno;
  throw Error(ErrorCode::registry_unusable, std::string("cannot ") + action + " '" + path + "': " +
                                                std::generic_category().message(error));
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::registry_unusable, "'" + path + "' " + reason);
}

// Never written, or written but lost with the power before it was durable: nothing was promised by it.
bool is_empty(std::string_view slot) { return slot.find_first_not_of('\0') == std::string_view::npos; }

// A restored backup keeps the file and its record, but the file system has noted when that was. The allowance is for a
// writer that is held up between asking for the time and writing.
bool changed_after_its_write(const NodeContent& content) {
  constexpr std::int64_t kAllowanceMs = 250;
  return content.changed_ms > content.record.written_ms + kAllowanceMs;
}

// A file with content but no valid slot is corrupt: what was promised is unknown.
NodeContent content_of(int fd, const std::string& path) {
  NodeContent content;
  const platform::FileFacts facts = platform::file_facts(fd);
  content.identity = facts.identity;
  content.changed_ms = facts.changed_ms;
  char both[kSlotOffsets[1] + kRecordSize];
  const ssize_t size = ::pread(fd, both, sizeof both, 0);
  if (size < 0) fail(path, "read");
  const std::string_view text(both, static_cast<std::size_t>(size));
  for (const std::size_t offset : kSlotOffsets) {
    const std::string_view slot = text.substr(std::min(offset, text.size()), kRecordSize);
    auto record = parse_record(slot);
    content.damaged = content.damaged || (!record && !is_empty(slot));
    if (record && record->count > content.record.count) content.record = std::move(*record);
  }
  if (content.record.count == 0 && content.damaged) {
    refuse(path, "is corrupt: neither of its two records is valid, and what they promised is unknown. Remove the file "
                 "when no process has used it for a day");
  }
  content.genuine =
      content.record.count != 0 && content.record.identity == content.identity && !changed_after_its_write(content);
  return content;
}

int open_file(const std::string& path, int flags) { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600); }

// For files that are looked at and never locked.
class Reading {
 public:
  explicit Reading(const std::string& path) : fd_(open_file(path, O_RDONLY)) {}
  ~Reading() {
    if (fd_ >= 0) ::close(fd_);
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

}  // namespace

NodeFile::NodeFile(std::string path) : path_(std::move(path)), execution_(Execution::current()) {}

std::unique_ptr<NodeFile> NodeFile::lock(const std::string& path, Missing missing, std::int64_t patience_ms) {
  // Hundreds may start at once: the longer one waits, the less it takes of the processor from who is at work.
  constexpr std::int64_t kFirstPauseNs = 300'000;
  constexpr std::int64_t kLongestPauseNs = 20'000'000;
  std::unique_ptr<NodeFile> file(new NodeFile(path));
  std::int64_t waited_ns = 0, pause_ns = kFirstPauseNs;
  for (Try result; (result = file->try_lock(missing)) != Try::locked; pause_ns = std::min(pause_ns * 3 / 2, kLongestPauseNs)) {
    if (result == Try::missing || waited_ns >= patience_ms * 1'000'000) return nullptr;
    waited_ns += sleep_ns(pause_ns);
  }
  file->read();
  file->prepare_writing();
  return file;
}

NodeFile::Try NodeFile::try_lock(Missing missing) {
  constexpr int kMostForks = 1000;
  for (int forks = 0;; ++forks) {
    const ForkWatch watch;
    descriptor_.emplace();
    const int fd = open_file(path_, O_RDWR | (missing == Missing::make ? O_CREAT : 0));
    if (fd < 0 && errno == ENOENT && missing == Missing::leave) return Try::missing;
    if (fd < 0 && errno == EROFS) refuse(path_, "is on a file system that is read-only");
    if (fd < 0) fail(path_, missing == Missing::make ? "open or make" : "open");
    if (!descriptor_->hold(fd)) fail(path_, "inspect");
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return Try::held;
      fail(path_, "lock");
    }
    if (watch.undisturbed() || forks == kMostForks) return Try::locked;
    // A child made meanwhile may have this descriptor, and would keep the lock: it ends for both.
    ::flock(fd, LOCK_UN);
  }
}

void NodeFile::read() {
  const int fd = descriptor_->number();
  if (platform::is_shared_file_system(fd)) {
    refuse(path_, "is on a network file system, where this host's lock means nothing to other hosts. Point "
                  "POLYFLAKE_HOME at a local folder");
  }
  content_ = content_of(fd, path_);
}

std::optional<NodeContent> NodeFile::look(const std::string& path) {
  const Reading file(path);
  if (file.fd() < 0 && errno == ENOENT) return std::nullopt;
  if (file.fd() < 0) fail(path, "open");
  return content_of(file.fd(), path);
}

std::string NodeFile::owner(const std::string& path) {
  try {
    const auto content = look(path);
    return content ? content->record.owner : "";
  } catch (const Error&) {
    return {};  // a label for a message; the file is not ours to judge
  }
}

NodeFile::~NodeFile() {
  if (Execution::current() != execution_) return;
  // First: the lock ends even where a child made a moment ago has the descriptor, too.
  if (descriptor_ && descriptor_->ours()) ::flock(descriptor_->number(), LOCK_UN);
  if (write_ != nullptr) ::munmap(write_, platform::page_size());
}

// --- writing ---------------------------------------------------------------------------------------

// A copy of the process may be made at any instruction, also between the last check and the write. What the system is asked
// to write stands in memory that a copy does not have: there the call fails (EFAULT), and nothing touches that memory but
// the call.
void NodeFile::prepare_writing() {
  void* const memory =
      ::mmap(nullptr, platform::page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(path_, "map memory for");
  write_ = new (memory) iovec{slot_, sizeof slot_};
  if (!platform::keep_from_copies(memory)) fail(path_, "keep from copies of this process the memory for");
}

void NodeFile::check_still_ours() const {
  struct stat at_path;
  if (!descriptor_->ours()) refuse(path_, "was closed by somebody else");
  if (::stat(path_.c_str(), &at_path) != 0) fail(path_, "find");
  if (!descriptor_->is(at_path.st_dev, at_path.st_ino)) refuse(path_, "was replaced while this process used it");
  if (content_of(descriptor_->number(), path_).record.nonce != content_.record.nonce) {
    refuse(path_, "was written by somebody else while this process held its lock");
  }
}

void NodeFile::check_execution() const {
  if (Execution::current() == execution_) return;
  throw Error(ErrorCode::forked_generator, "'" + path_ + "' belongs to the process that this one is a copy of");
}

void NodeFile::write(std::int64_t until_ms, std::uint64_t used, Durable durable) {
  check_execution();
  check_still_ours();
  Record next;
  next.count = content_.record.count + 1;
  next.until_ms = until_ms;
  next.used = used;
  next.nonce = platform::random_hex_128();
  next.identity = content_.identity;
  next.owner = platform::owner_label();
  const int fd = descriptor_->number();
  if (!flushed_ && content_.record.count != 0 && durable == Durable::yes) {
    // A record given back without a flush must not be the slot that a torn write here leaves.
    if (!platform::flush(fd)) fail(path_, "flush");
    flushed_ = true;
  }
  next.written_ms = platform::file_clock_ms();
  const std::string text = print_record(next);
  if (text.empty()) refuse(path_, "cannot hold its record");
  text.copy(slot_, sizeof slot_);
  check_execution();
  const ssize_t written = ::pwritev(fd, write_, 1, static_cast<off_t>(kSlotOffsets[next.count % 2]));
  if (written < 0) fail(path_, "write");
  if (static_cast<std::size_t>(written) != sizeof slot_) {
    refuse(path_, "took only " + std::to_string(written) + " of " + std::to_string(sizeof slot_) + " bytes: is the disk full?");
  }
  if (durable == Durable::yes && !platform::flush(fd)) fail(path_, "flush");
  flushed_ = flushed_ || durable == Durable::yes;
  content_ = NodeContent{std::move(next), false, true, 0, content_.identity};
}

}  // namespace polyflake
