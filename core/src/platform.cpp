#include "platform.hpp"

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ascii.hpp"

#if defined(__linux__)
#include <sys/random.h>
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
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string bytes(most, '\0');
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

void keep_from_copies([[maybe_unused]] void* page) {
#if defined(MADV_DONTFORK)
  ::madvise(page, page_size(), MADV_DONTFORK);
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

// Nanoseconds since 1970, 0 where the file system does not record it.
std::int64_t birth_time_ns([[maybe_unused]] int fd) {
#if defined(__linux__) && defined(STATX_BTIME)
  struct statx info;
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &info) == 0 && (info.stx_mask & STATX_BTIME) != 0) {
    return static_cast<std::int64_t>(info.stx_btime.tv_sec) * 1'000'000'000 + info.stx_btime.tv_nsec;
  }
#endif
  return 0;
}

}  // namespace

std::string file_identity(int fd) {
  struct stat info;
  if (::fstat(fd, &info) != 0) {
    throw Error(ErrorCode::registry_unusable, "cannot inspect a registry file: " + std::generic_category().message(errno));
  }
  return std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino) + ":" + std::to_string(birth_time_ns(fd)) + ":" +
         machine_id();
}

std::int64_t changed_ms(int fd) {
  struct stat info;
  return ::fstat(fd, &info) == 0 ? change_ns(info) / 1'000'000 : 0;
}

FolderTimes folder_times(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return {};
  return {entries_ns(info), change_ns(info)};
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
