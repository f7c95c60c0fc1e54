#include "os/os.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.hpp"

#if defined(__linux__)
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#else
#include <stdlib.h>
#endif

namespace polyflake::platform {

std::string random_hex_128() {
  std::uint64_t words[2];
#if defined(__linux__)
  if (::getrandom(words, sizeof words, 0) != static_cast<ssize_t>(sizeof words)) {
    throw Error(ErrorCode::registry_unusable, "the operating system gave no random bytes");
  }
#else
  ::arc4random_buf(words, sizeof words);
#endif
  return to_text(words[0], "hex") + to_text(words[1], "hex");
}

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return {};
  return name;
}

std::string first_bytes_of(const char* path, std::size_t most) {
  std::string bytes(most, '\0');  // before there is a descriptor to lose
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t size = ::read(fd, bytes.data(), bytes.size());
  ::close(fd);
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return bytes;
}

namespace {

std::string first_word_of(const char* path) {
  const std::string text = first_bytes_of(path, 64);
  return text.substr(0, text.find_first_of(" \n"));
}

}  // namespace

bool tsc_keeps_time() {
  return first_word_of("/sys/devices/system/clocksource/clocksource0/current_clocksource") == "tsc";
}

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

bool keep_from_copies([[maybe_unused]] void* page) {
#if defined(MADV_DONTFORK)
  return ::madvise(page, page_size(), MADV_DONTFORK) == 0 || errno == EINVAL || errno == ENOSYS;  // emulators
#else
  return true;
#endif
}

namespace {

std::string host_label() {
  std::string label;
  for (const char c : host_name().substr(0, 64)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
    label += plain ? c : '_';
  }
  return label + "/";
}

}  // namespace

std::string owner_label() { return host_label() + std::to_string(::getpid()); }

std::string life_of(const std::string& owner_label) {
  const std::string host = host_label();
  if (owner_label.substr(0, host.size()) != host) return {};
  const auto pid = ascii::decimal(std::string_view(owner_label).substr(host.size()));
  if (!pid || *pid == 0 || *pid > INT32_MAX) return {};
  return ::kill(static_cast<pid_t>(*pid), 0) == 0 || errno == EPERM ? "running" : "not running";
}

namespace {

std::string machine_id() {
  const std::string id = first_word_of("/etc/machine-id");
  return id.empty() ? "-" : id.substr(0, 32);
}

#if !defined(__linux__) || !defined(STATX_BTIME)
std::int64_t in_ns(const struct timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

#if defined(__APPLE__)
std::int64_t change_ns(const struct stat& info) { return in_ns(info.st_ctimespec); }
std::int64_t entries_ns(const struct stat& info) { return in_ns(info.st_mtimespec); }
#else
std::int64_t change_ns(const struct stat& info) { return in_ns(info.st_ctim); }
std::int64_t entries_ns(const struct stat& info) { return in_ns(info.st_mtim); }
#endif
#endif

// Read once: a search for a node id asks for it hundreds of times. Never freed.
std::atomic<const std::string*> g_machine_id{nullptr};

const std::string& known_machine_id() {
  if (const std::string* const known = g_machine_id.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<const std::string>(machine_id());
  const std::string* expected = nullptr;
  if (g_machine_id.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

// A file as its file system describes it.
struct Description {
  std::uint64_t device = 0, inode = 0;
  std::int64_t birth_ns = 0, changed_ns = 0, written_ns = 0;  // birth 0: not recorded by every file system
};

// path "": of the open file. False with errno set on failure.
bool describe(int fd, const char* path, Description& file) {
#if defined(__linux__) && defined(STATX_BTIME)
  struct statx found;
  if (::statx(fd, path, *path == '\0' ? AT_EMPTY_PATH : 0, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return false;
  const auto ns = [](const struct statx_timestamp& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  };
  file = {std::uint64_t{found.stx_dev_major} << 32 | found.stx_dev_minor, found.stx_ino,
          (found.stx_mask & STATX_BTIME) != 0 ? ns(found.stx_btime) : 0, ns(found.stx_ctime), ns(found.stx_mtime)};
#else
  struct stat found;
  if ((*path == '\0' ? ::fstat(fd, &found) : ::stat(path, &found)) != 0) return false;
  file = {static_cast<std::uint64_t>(found.st_dev), found.st_ino, 0, change_ns(found), entries_ns(found)};
#endif
  return true;
}

}  // namespace

FileFacts file_facts(int fd) {
  Description file;
  if (!describe(fd, "", file)) {
    throw Error(ErrorCode::registry_unusable, "cannot inspect a registry file: " + std::generic_category().message(errno));
  }
  return {std::to_string(file.device) + ":" + std::to_string(file.inode) + ":" + std::to_string(file.birth_ns) + ":" +
              known_machine_id(),
          file.changed_ns / 1'000'000};
}

FolderTimes folder_times(const std::string& path) {
  Description folder;
  if (!describe(AT_FDCWD, path.c_str(), folder)) {
    throw Error(ErrorCode::registry_unusable,
                "cannot inspect the registry folder '" + path + "': " + std::generic_category().message(errno));
  }
  return {folder.written_ns, folder.changed_ns};
}

std::int64_t file_clock_ms() {
  struct timespec now;
#if defined(__linux__)
  // The call itself: a preloaded library that shifts the clock for this process does not shift those times.
  if (::syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now) != 0) ::clock_gettime(CLOCK_REALTIME, &now);
#else
  ::clock_gettime(CLOCK_REALTIME, &now);
#endif
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

bool is_container_layer([[maybe_unused]] const std::string& path) {
#if defined(__linux__)
  constexpr std::uint32_t kOverlay = 0x794c7630;  // linux/magic.h
  struct statfs info;
  return ::statfs(path.c_str(), &info) == 0 && static_cast<std::uint32_t>(info.f_type) == kOverlay;
#else
  return false;
#endif
}

bool is_shared_file_system([[maybe_unused]] int fd) {
#if defined(__linux__)
  // From linux/magic.h and statfs(2): NFS, SMB, CIFS, SMB2, 9P, AFS, Ceph, Lustre, GPFS, BeeGFS, OCFS2, GFS2, vboxsf.
  constexpr std::uint32_t kShared[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400,
                                       0x0bd00bd0, 0x47504653, 0x19830326, 0x7461636f, 0x01161970, 0x786f4256};
  struct statfs info;
  if (::fstatfs(fd, &info) != 0) return true;  // unknown, so not trusted
  for (const std::uint32_t magic : kShared) {
    if (static_cast<std::uint32_t>(info.f_type) == magic) return true;
  }
#endif
  return false;
}

bool flush(int fd) {
#if defined(__APPLE__)
  return ::fcntl(fd, F_FULLFSYNC) == 0 || ::fsync(fd) == 0;  // fsync alone stops at the drive's cache
#else
  return ::fdatasync(fd) == 0;
#endif
}

namespace {

// Best effort: without it a power failure costs the quarantine of a new registry.
void flush_folder_of(const std::string& path) {
  const int fd = ::open(path.substr(0, path.rfind('/')).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), 0700) == 0) {
      flush_folder_of(folder);
    } else if (errno != EEXIST) {
      struct stat info;
      const int error = errno;
      if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
        throw Error(ErrorCode::registry_unusable,
                    "cannot create the registry folder '" + path + "': " + std::generic_category().message(error) +
                        "; make it writable, or point POLYFLAKE_HOME at a folder that is");
      }
    }
    if (slash == std::string::npos) return;
  }
}

}  // namespace polyflake::platform
