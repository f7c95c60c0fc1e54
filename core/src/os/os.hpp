// What the core asks of the operating system, behind plain functions: of this process and its host, of time, of folders, and
// of memory that copies of the process must not inherit. Files are in locked_file.hpp, names in process_name.hpp.
//
// This room alone has headers of an operating system, and conditions on which one it is: posix*.cpp and windows*.cpp are two
// answers to one set of headers. Paths and other texts are UTF-8 on Windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyflake::platform {

// --- this process and its host ---------------------------------------------------------------------

// Random bytes from the operating system, at most 256 in a call. Errors: registry_unusable.
void random_bytes(void* bytes, std::size_t n);

// 128 random bits of the same as 32 hex digits. Errors: registry_unusable.
std::string random_hex_128();

std::string host_name();

// "host/pid" of this process, ASCII, for messages.
std::string owner_label();

// Whether the process that a label names runs: "running", "not running", or "" where another host or the label does not say.
std::string life_of(const std::string& owner_label);

// The value of a variable of the environment, nothing where it is not set. On Windows as the system has it, which is where
// other languages' runtimes set it.
std::optional<std::string> environment(const char* variable);

// True when the kernel keeps time by the processor's time stamp counter, hence vouches that it runs at one
// constant rate on all cores.
bool tsc_keeps_time();

// While it lives, pthread_cancel does not end the thread that made it: what it does would be left half done, and calls that
// promise not to throw would end the process. Made and destroyed by one thread.
class Uncancelled {
 public:
  Uncancelled() noexcept;
  ~Uncancelled();  // NOLINT: it does nothing on some systems
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int former_ = 0;
};

// --- time ------------------------------------------------------------------------------------------

// Unix ns by the system clock.
std::int64_t clock_ns();

// Unix ms by the clock that file systems take their times from.
std::int64_t file_clock_ms();

// Sleeps for about this long, or less when a signal is delivered; returns how long.
std::int64_t sleep_ns(std::int64_t ns);

// --- folders ---------------------------------------------------------------------------------------

bool is_absolute(const std::string& path);

// The path of what is in a folder; the name may have several parts, with '/' between them.
std::string inside(const std::string& folder, const std::string& name);

// The environment variable that names the folder of this user.
const char* user_folder_variable();

// Creates a folder and its parents, for this user alone (mode 0700). Errors: registry_unusable, naming the folder.
void make_folders(const std::string& path);

enum class Found { yes, no, unknown };
Found find(const std::string& path);

// The names of a folder's entries, in no order. Errors: registry_unusable, naming the folder.
std::vector<std::string> names_in(const std::string& folder);

// When the names in a folder last changed, and when anything of it did: after a move the second alone is new.
struct FolderTimes {
  std::int64_t entries_ns = 0;  // Unix ns
  std::int64_t any_ns = 0;
  bool operator==(const FolderTimes& other) const { return entries_ns == other.entries_ns && any_ns == other.any_ns; }
};
// Errors: registry_unusable.
FolderTimes folder_times(const std::string& path);

// The symbolic links that an absolute path leads through; links behind a link count, too, except on Windows.
struct Links {
  std::int64_t changed_ns = 0;  // Unix ns at which one was last made or renamed, by the file system's clock; 0: never
  std::uint64_t mix = 0;        // of all of them; another number after one was made or renamed
  bool operator==(const Links& other) const { return mix == other.mix; }

  void add(std::uint64_t file, std::int64_t ns, std::int64_t latest_ns) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // Knuth, TAOCP 6.4
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    if (ns % kSecondNs == 0)
      ns += kSecondNs - 1;  // the file system notes whole seconds, so it was at their end at the latest
    if (ns > changed_ns && ns <= latest_ns) changed_ns = ns;
    mix = ((mix + file) * kOdd + static_cast<std::uint64_t>(ns)) * kOdd;
  }
};
// latest_ns: later times come from a clock that was ahead, and do not count in changed_ns. Errors: registry_unusable.
Links links_on(const std::string& path, std::int64_t latest_ns);

// Has the file system note a change of the folder that is none of its entries, as a move would. Best effort; leaves what is
// no folder alone.
void note_change(const std::string& folder);

// Of a path, or of the nearest folder above it that is there.
struct FileSystem {
  bool shared;           // among hosts, to which a lock of this one means nothing; also where that is not known
  bool container_layer;  // of a container by itself (overlayfs)
};
FileSystem file_system(const std::string& path);

// --- copies of the process -------------------------------------------------------------------------

// A page of memory, zeroed, that a copy of the process has zeroed as well: by the kernel, or by `wipe`, which then runs in
// every child of a fork. With null for it, where the kernel does not, a copy keeps the page: its owner asks which execution
// wrote it. Errors: std::bad_alloc.
void* make_wiped_page(void (*wipe)());
void drop_page(void* page);

// In a copy of the process: closes the files that it inherited and that one execution alone may keep open, without touching
// what the parent owns; elsewhere nothing. Async-signal-safe.
void close_inherited() noexcept;

}  // namespace polyflake::platform
