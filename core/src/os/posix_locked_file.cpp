#include "os/locked_file.hpp"

#include <polyflake/detail/execution.hpp>
#include <polyflake/error.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <new>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/sysmacros.h>
#endif

#include "os/failure.hpp"
#include "os/os.hpp"
#include "os/owner.hpp"
#include "os/posix_description.hpp"
#include "os/posix_descriptor.hpp"
#include "os/posix_file_system.hpp"

namespace polyflake {

using platform::fail;
using platform::refuse;

namespace {

FileView view_of(int fd, const std::string& path) {
  platform::Description file;
  if (!platform::describe(fd, "", file)) {
    throw Error(ErrorCode::registry_unusable, "cannot inspect a registry file: " + platform::last_error());
  }
  if (!file.plain) refuse(path, "is no plain file");
  return {std::to_string(file.device) + ":" + std::to_string(file.inode) + ":" + std::to_string(file.birth_ns) + ":" +
              platform::machine_id(),
          file.changed_ns, 0};
}

FileView read_from(int fd, const std::string& path, char* bytes, std::size_t most) {
  FileView view = view_of(fd, path);
  const ssize_t size = ::pread(fd, bytes, most, 0);
  if (size < 0) fail(path, "read");
  view.size = static_cast<std::size_t>(size);
  return view;
}

// O_NONBLOCK: does not wait for the other end if the path leads to a pipe.
int open_file(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

// For files that are read without a lock.
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
  // Closing may be a cancellation point, and a destructor must not throw.
  const platform::Uncancelled uncancelled_;
  const int fd_;
};

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

// Keeps this page from later copies of the process, if the system can. Returns false with errno set
// on failure.
bool keep_from_copies([[maybe_unused]] void* page) {
#if defined(MADV_DONTFORK)
  // Emulators fail with EINVAL or ENOSYS.
  return ::madvise(page, page_size(), MADV_DONTFORK) == 0 || errno == EINVAL || errno == ENOSYS;
#else
  return true;
#endif
}

bool flushed(int fd) {
#if defined(__APPLE__)
  // fsync alone stops at the drive's cache.
  return ::fcntl(fd, F_FULLFSYNC) == 0 || ::fsync(fd) == 0;
#else
  return ::fdatasync(fd) == 0;
#endif
}

}  // namespace

struct LockedFile::System {
  std::optional<Descriptor> descriptor;
  char slot[kLargestSlot] = {};
  std::size_t slot_size = 0;
  // Points to slot. Its memory does not exist in copies of the process, so that none of them
  // writes.
  iovec* write = nullptr;

  int number() const { return descriptor->number(); }
};

LockedFile::LockedFile(std::string path)
    : path_(std::move(path)), execution_(Execution::current()), system_(std::make_unique<System>()) {}

LockedFile::~LockedFile() {
  if (Execution::current() != execution_) return;
  // First: unlocking ends the lock even if a new child has the descriptor, too.
  if (system_->descriptor && system_->descriptor->ours()) ::flock(system_->number(), LOCK_UN);
  if (system_->write != nullptr) ::munmap(system_->write, page_size());
}

LockedFile::Try LockedFile::try_lock(Missing missing) {
  constexpr int kMostForks = 1000;
  for (int forks = 0;; ++forks) {
    const ForkWatch watch;
    Descriptor& descriptor = system_->descriptor.emplace();
    const int fd = open_file(path_, O_RDWR | (missing == Missing::make ? O_CREAT : 0));
    if (fd < 0 && errno == ENOENT && missing == Missing::leave) return Try::missing;
    if (fd < 0 && errno == EROFS) refuse(path_, "is on a file system that is read-only");
    if (fd < 0) fail(path_, missing == Missing::make ? "open or make" : "open");
    if (!descriptor.hold(fd)) fail(path_, "inspect");
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return Try::held;
      fail(path_, "lock");
    }
    if (watch.undisturbed() || forks == kMostForks) return Try::locked;
    // A child made meanwhile may have this descriptor, and would keep the lock: unlock for both.
    ::flock(fd, LOCK_UN);
  }
}

bool LockedFile::is_shared() const { return platform::file_system(system_->number()).shared; }

FileView LockedFile::read(char* bytes, std::size_t most) const {
  return read_from(system_->number(), path_, bytes, most);
}

std::optional<FileView> LockedFile::look(const std::string& path, char* bytes, std::size_t most) {
  const Reading file(path);
  if (file.fd() < 0 && errno == ENOENT) return std::nullopt;
  if (file.fd() < 0) throw Unread(platform::why_failed(path, "open"));
  return read_from(file.fd(), path, bytes, most);
}

void LockedFile::check_at_path() const {
  struct stat at_path;
  if (!system_->descriptor->ours()) refuse(path_, "was closed by somebody else");
  if (::stat(path_.c_str(), &at_path) != 0) fail(path_, "find");
  if (!system_->descriptor->is(at_path.st_dev, at_path.st_ino))
    refuse(path_, "was replaced while this process used it");
}

void LockedFile::check_execution() const {
  if (Execution::current() == execution_) return;
  throw Error(ErrorCode::forked_generator, "'" + path_ + "' belongs to the process that this one is a copy of");
}

// A copy of the process may be made at any instruction, also between the last check and the write.
// The system call reads its arguments from memory that a copy does not have: there the call fails
// (EFAULT). Only that call touches the memory.
void LockedFile::prepare_writing(std::size_t slot_size) {
  void* const memory = ::mmap(nullptr, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(path_, "map memory for");
  system_->slot_size = slot_size;
  system_->write = new (memory) iovec{system_->slot, slot_size};
  if (!keep_from_copies(memory)) fail(path_, "keep from copies of this process the memory for");
}

// A write beyond the limit would end the process by SIGXFSZ, or write only a part.
void LockedFile::write(std::string_view slot, std::uint64_t offset) {
  rlimit size;
  // RLIM_INFINITY is above all sizes.
  if (::getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur < offset + system_->slot_size) {
    refuse(path_, "needs more bytes than this process may write into a file; raise that limit (ulimit -f)");
  }
  slot.copy(system_->slot, system_->slot_size);
  check_execution();
  const ssize_t written = ::pwritev(system_->number(), system_->write, 1, static_cast<off_t>(offset));
  if (written < 0) fail(path_, "write");
  if (static_cast<std::size_t>(written) != system_->slot_size) {
    refuse(path_, "took only " + std::to_string(written) + " of " + std::to_string(system_->slot_size) +
                      " bytes: is the disk full?");
  }
}

void LockedFile::flush() {
  check_execution();
  if (!flushed(system_->number())) fail(path_, "flush");
}

void LockedFile::unlock() noexcept {
  // A copy may have other files under the numbers it inherited.
  if (Execution::current() == execution_ && system_->descriptor->ours()) ::flock(system_->number(), LOCK_UN);
}

#if defined(__linux__)
namespace {

// Returns the process of a line of /proc/locks (proc(5)) if it is of this file, else 0:
// "1: FLOCK ADVISORY WRITE <pid> <major>:<minor>:<inode> 0 EOF", the device in hex.
long holder_of(std::string_view line, std::string_view file) {
  const std::size_t at = line.find(file);
  if (at == std::string_view::npos || line.find(" FLOCK ") >= at) return 0;
  const char* const pid = line.data() + line.rfind(' ', at - 1) + 1;
  long holder = 0;
  std::from_chars(pid, line.data() + at, holder);
  return holder;
}

}  // namespace

// Streams would bring in a tenth of a package that has them for nothing else.
std::string LockedFile::holder(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) return {};
  char file[64];
  std::snprintf(file, sizeof file, " %02x:%02x:%llu ", major(found.st_dev), minor(found.st_dev),
                static_cast<unsigned long long>(found.st_ino));
  std::FILE* const locks = std::fopen("/proc/locks", "re");
  if (locks == nullptr) return {};
  long holder = 0;
  for (char line[256]; holder == 0 && std::fgets(line, sizeof line, locks) != nullptr;) holder = holder_of(line, file);
  std::fclose(locks);
  return holder > 0 ? platform::label_of(static_cast<std::uint64_t>(holder)) : "";
}
#else
std::string LockedFile::holder(const std::string& /*path*/) { return {}; }
#endif

std::int64_t LockedFile::lingers_ms() { return 0; }

}  // namespace polyflake
