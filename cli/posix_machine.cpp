#include "machine.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "system.hpp"

#if defined(__linux__)
#include <sys/timex.h>
#include <sys/vfs.h>
#endif

namespace polyflake::cli::machine {
namespace {

// Returns "" if it cannot be read.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string first_word_of(const std::string& path) {
  const auto words = words_of(text_of(path));
  return words.empty() ? "" : words[0];
}

std::string in_hex(std::uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(number));
  return text;
}

// Returns the value of a byte in a copy of the process. The copy reports it through a pipe: the
// program's parent may have disabled the exit codes of children.
[[maybe_unused]] std::optional<char> byte_in_a_copy(const volatile char* byte) {
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    const char found = *byte;
    ::_exit(::write(ends[1], &found, 1) == 1 ? 0 : 1);
  }
  ::close(ends[1]);
  char found = 0;
  std::size_t count = 0;
  const bool told = child > 0 && system::read(ends[0], &found, 1, count) == system::Result::done;
  ::close(ends[0]);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return told ? std::optional(found) : std::nullopt;
}

std::string about_clock_source(const char* file) {
  return text_of(std::string("/sys/devices/system/clocksource/clocksource0/") + file);
}

}  // namespace

std::string clock_source() {
  const auto words = words_of(about_clock_source("current_clocksource"));
  return words.empty() ? "" : words[0];
}

std::vector<std::string> clock_sources() { return words_of(about_clock_source("available_clocksource")); }

std::optional<std::vector<std::string>> counter_features() {
  const std::string processors = text_of("/proc/cpuinfo");
  const std::size_t at = processors.find("\nflags");
  if (at == std::string::npos) return std::nullopt;
  std::vector<std::string> found;
  for (const std::string& word : words_of(processors.substr(at, processors.find('\n', at + 1) - at))) {
    for (const char* feature : {"constant_tsc", "nonstop_tsc", "tsc_reliable", "hypervisor"}) {
      if (word == feature) found.push_back(word);
    }
  }
  return found;
}

std::optional<Discipline> discipline() {
#if defined(__linux__)
  timex state{};
  const int status = ::adjtimex(&state);
  if (status < 0) return std::nullopt;
  const bool synchronised = status != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
  return Discipline{synchronised, state.maxerror, (state.status & (STA_INS | STA_DEL)) != 0};
#else
  return std::nullopt;
#endif
}

std::optional<std::vector<std::string>> time_services() {
  if (text_of("/proc/self/comm").empty()) return std::nullopt;
  // The kernel's names for them, 15 characters at most.
  constexpr const char* kServices[][2] = {{"chronyd", "chronyd"},   {"ntpd", "ntpd"},
                                          {"ntpsec", "ntpsec"},     {"systemd-timesyn", "systemd-timesyncd"},
                                          {"ptp4l", "ptp4l"},       {"phc2sys", "phc2sys"},
                                          {"openntpd", "openntpd"}, {"VBoxService", "VBoxService"},
                                          {"vmtoolsd", "vmtoolsd"}};
  std::vector<std::string> found;
  // Processes may end during the search.
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = first_word_of(entry.path().string() + "/comm");
    for (const auto& service : kServices) {
      if (name == service[0]) found.emplace_back(service[1]);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Trace> traces() {
  std::vector<Trace> found;
  for (const char* path : {"/var/lib/systemd/timesync/clock", "/var/lib/private/systemd/timesync/clock",
                           "/var/lib/chrony/drift", "/var/lib/chrony/chrony.drift", "/var/lib/ntp/ntp.drift",
                           "/var/lib/ntpsec/ntp.drift", "/var/lib/systemd/random-seed", "/var/log/wtmp"}) {
    struct stat file;
    if (::stat(path, &file) != 0) continue;
    found.push_back({path, static_cast<std::int64_t>(file.st_mtime) * 1000});
  }
  return found;
}

std::optional<bool> forks_wipe_memory() {
#if defined(MADV_WIPEONFORK)
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return std::nullopt;
  std::optional<bool> wiped;
  if (::madvise(memory, size, MADV_WIPEONFORK) != 0) {
    wiped = false;
  } else {
    auto* const byte = static_cast<volatile char*>(memory);
    *byte = 1;
    if (const auto copied = byte_in_a_copy(byte)) wiped = *copied == 0;
  }
  ::munmap(memory, size);
  return wiped;
#else
  return std::nullopt;
#endif
}

std::optional<FileSystem> file_system(const std::filesystem::path& folder) {
#if defined(__linux__)
  struct Kind {
    std::uint32_t magic;  // statfs(2)
    const char* name;
  };
  constexpr Kind kKinds[] = {
      {0xef53, "ext4"},       {0x58465342, "xfs"},       {0x9123683e, "btrfs"}, {0x2fc12fc1, "zfs"},
      {0xf2f52010, "f2fs"},   {0x794c7630, "overlayfs"}, {0x01021994, "tmpfs"}, {0x858458f6, "ramfs"},
      {0x6969, "nfs"},        {0x517b, "smb"},           {0xff534d42, "cifs"},  {0xfe534d42, "smb2"},
      {0x01021997, "9p"},     {0x5346414f, "afs"},       {0x00c36400, "ceph"},  {0x0bd00bd0, "lustre"},
      {0x47504653, "gpfs"},   {0x19830326, "beegfs"},    {0x7461636f, "ocfs2"}, {0x01161970, "gfs2"},
      {0x786f4256, "vboxsf"}, {0x65735546, "fuse"},      {0x9fa0, "proc"},      {0x62656572, "sysfs"},
      {0x63677270, "cgroup2"}};
  struct statfs info;
  if (::statfs(folder.c_str(), &info) != 0) return std::nullopt;
  const auto magic = static_cast<std::uint32_t>(info.f_type);
  std::string name = in_hex(magic);
  for (const Kind& kind : kKinds) {
    if (kind.magic == magic) name = kind.name;
  }
  return FileSystem{name, name == "tmpfs" || name == "ramfs", name == "proc" || name == "sysfs" || name == "cgroup2"};
#else
  static_cast<void>(folder);
  return std::nullopt;
#endif
}

bool may_write(const std::filesystem::path& file) { return ::access(file.c_str(), R_OK | W_OK) == 0; }

bool may_use(const std::filesystem::path& folder) { return ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0; }

}  // namespace polyflake::cli::machine
