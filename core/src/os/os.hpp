// Everything the core asks of the operating system, as plain functions: this process and its host,
// time, folders, and memory that copies of the process must not inherit. Files are in
// locked_file.hpp, names in process_name.hpp.
//
// Only this room includes headers of an operating system or has conditions on it. posix*.cpp and
// windows*.cpp are two implementations of the same headers. Paths and other texts are UTF-8 on
// Windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyflake::platform {

// --- this process and its host -------------------------------------------------------------------

// Writes random bytes of the operating system, at most 256 per call. Errors: registry_unusable.
void random_bytes(void* bytes, std::size_t n);

// Returns 128 of those random bits as 32 hex digits. Errors: registry_unusable.
std::string random_hex_128();

std::string host_name();

// Returns "host/pid" of this process, ASCII, for messages.
std::string owner_label();

// Returns "running" or "not running" for the process that the label names; "" if it is on another
// host or the label does not tell.
std::string life_of(const std::string& owner_label);

// Returns who holds a file with this label, for messages: the process, or "another process" for "".
std::string holder_of(const std::string& owner_label);

// Returns the value of an environment variable, nothing if it is not set. On Windows it asks the
// system, not the C runtime: the runtimes of other languages set variables there.
std::optional<std::string> environment(const char* variable);

// Returns true if the kernel keeps time by the processor's time stamp counter, and so vouches that
// it runs at one constant rate on all cores.
bool tsc_keeps_time();

// Keeps pthread_cancel from ending the thread that made this object, while it lives. Otherwise its
// work would be left half done, and calls that promise not to throw would end the process. Thread
// safety: made and destroyed by one thread.
class Uncancelled {
 public:
  Uncancelled() noexcept;
  ~Uncancelled();  // NOLINT: it does nothing on some systems
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int former_ = 0;
};

// --- time ----------------------------------------------------------------------------------------

// Returns Unix ns by the system clock.
std::int64_t clock_ns();

// Returns Unix ms by the clock that file systems take their times from.
std::int64_t file_clock_ms();

// Returns true if the file system of this time, in Unix ns, records no parts of seconds.
inline bool is_whole_second(std::int64_t recorded_ns) { return recorded_ns % 1'000'000'000 == 0; }

// Returns the latest Unix ns of a change with this recorded time. If the file system records whole
// seconds, that is the end of the second, or of the next one: FAT records every second one.
inline std::int64_t latest_change_ns(std::int64_t recorded_ns) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  if (!is_whole_second(recorded_ns)) return recorded_ns;
  const bool is_even = recorded_ns / kSecondNs % 2 == 0;
  return recorded_ns + (is_even ? 2 : 1) * kSecondNs - 1;
}

// Sleeps for about `ns`, or less if a signal is delivered. Returns the time slept in ns.
std::int64_t sleep_ns(std::int64_t ns);

// --- folders -------------------------------------------------------------------------------------

bool is_absolute(const std::string& path);

// Returns the path of an entry of a folder. The name may have several parts, separated by '/'.
std::string inside(const std::string& folder, const std::string& name);

// Returns the name of the environment variable for this user's folder.
const char* user_folder_variable();

// Creates a folder and its parents, for this user alone (mode 0700). Errors: registry_unusable,
// naming the folder.
void make_folders(const std::string& path);

enum class Found { yes, no, unknown };
Found find(const std::string& path);

// Returns the names of a folder's entries, in no order. Errors: registry_unusable, naming the
// folder.
std::vector<std::string> names_in(const std::string& folder);

// The times of the last change to the names in a folder, and of the last change of any kind: a move
// changes only the second.
struct FolderTimes {
  std::int64_t entries_ns = 0;  // Unix ns
  std::int64_t any_ns = 0;
  bool operator==(const FolderTimes& other) const { return entries_ns == other.entries_ns && any_ns == other.any_ns; }
};
// Errors: registry_unusable.
FolderTimes folder_times(const std::string& path);

// The symbolic links along an absolute path, including links behind a link, except on Windows.
struct Links {
  // Unix ns at which the latest one was made or renamed, by the file system's clock; 0: never.
  std::int64_t changed_ns = 0;
  // Combines all of them; differs after one was made or renamed.
  std::uint64_t mix = 0;
  bool in_whole_seconds = false;  // is the time of one of them
  bool operator==(const Links& other) const { return mix == other.mix; }

  void add(std::uint64_t file, std::int64_t ns, std::int64_t latest_ns) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // Knuth, TAOCP 6.4
    in_whole_seconds = in_whole_seconds || is_whole_second(ns);
    ns = latest_change_ns(ns);
    if (ns > changed_ns && ns <= latest_ns) changed_ns = ns;
    mix = ((mix + file) * kOdd + static_cast<std::uint64_t>(ns)) * kOdd;
  }
};
// Returns the links. latest_ns: later times come from a clock that was ahead, and are left out of
// changed_ns. Errors: registry_unusable.
Links links_on(const std::string& path, std::int64_t latest_ns);

// Makes the file system record a change of the folder itself, not of its entries, as a move would.
// Best effort. Does nothing if `folder` is not a folder.
void note_change(const std::string& folder);

// The file system of a path, or of its nearest existing parent folder.
struct FileSystem {
  // Shared among hosts, so that a lock of this host does not bind the others; also true if unknown.
  bool shared;
  bool container_layer;  // private to one container (overlayfs)
};
FileSystem file_system(const std::string& path);

// --- copies of the process -----------------------------------------------------------------------

// Returns a page of zeros that is zeroed in a copy of the process too: by the kernel, or by `wipe`,
// which then runs in every child of a fork. If `wipe` is null and the kernel cannot do it, a copy
// keeps the page, and its owner must check which execution wrote it. Errors: std::bad_alloc.
void* make_wiped_page(void (*wipe)());
void drop_page(void* page);

// In a copy of the process: closes the inherited files that only one execution may keep open,
// without touching those of the parent. Otherwise does nothing. Async-signal-safe.
void close_inherited() noexcept;

}  // namespace polyflake::platform
