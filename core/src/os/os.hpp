// What the core asks of the operating system, POSIX and otherwise, behind plain functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace polyflake::platform {

// 128 random bits from the operating system, as 32 hex digits. Errors: registry_unusable.
std::string random_hex_128();

std::string host_name();

// "host/pid" of this process, ASCII, for messages.
std::string owner_label();

// Whether the process that a label names runs: "running", "not running", or "" where another host or the label does not say.
std::string life_of(const std::string& owner_label);

struct FileFacts {
  std::string identity;         // device, inode, birth time, machine id: a copy has another one
  std::int64_t changed_ms = 0;  // Unix ms of the last change to its content or names, by the file system
};
// Errors: registry_unusable.
FileFacts file_facts(int fd);

// Unix ms by the clock that file systems take their times from.
std::int64_t file_clock_ms();

// When the names in a folder last changed, and when anything of it did: after a move the second alone is new.
struct FolderTimes {
  std::int64_t entries_ns = 0;  // Unix ns
  std::int64_t any_ns = 0;
  bool operator==(const FolderTimes& other) const { return entries_ns == other.entries_ns && any_ns == other.any_ns; }
};
// Errors: registry_unusable.
FolderTimes folder_times(const std::string& path);

bool is_shared_file_system(int fd);

// A layer that a container has for itself (overlayfs).
bool is_container_layer(const std::string& path);

// Puts a file's content on the medium. False with errno set on failure.
bool flush(int fd);

// Creates a folder and its parents with mode 0700. Errors: registry_unusable, naming the folder.
void make_folders(const std::string& path);

// The content of a file up to so many bytes; "" where it cannot be read. No locale, stream or lock behind it: for the paths
// that a forked child may take.
std::string first_bytes_of(const char* path, std::size_t most);

std::size_t page_size();

// Copies of the process made from now on do not have this page (MADV_DONTFORK), where the system knows that. False with errno
// set where it failed.
bool keep_from_copies(void* page);

// True when the kernel keeps time by the processor's time stamp counter, hence vouches that it runs at one
// constant rate on all cores.
bool tsc_keeps_time();

}  // namespace polyflake::platform
