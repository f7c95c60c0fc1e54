// What the host registry asks of the operating system, POSIX and otherwise, behind plain functions.
#pragma once

#include <string>

namespace polyflake::platform {

// 128 random bits from the operating system, as 32 hex digits. Errors: registry_unusable.
std::string random_hex_128();

// "host/pid" of this process, ASCII, for messages.
std::string owner_label();

// Identifies a file beyond its path: device, inode, birth time, machine id. A copy has another one.
std::string file_incarnation(int fd);

bool is_shared_file_system(int fd);

// Puts a file's content, or a folder's entries, on the medium. False with errno set on failure.
bool flush(int fd);
bool flush_folder_of(const std::string& path);

// Creates a folder and its parents with mode 0700. Errors: registry_unusable, naming the folder.
void make_folders(const std::string& path);

std::string host_name();

// True when the kernel keeps time by the processor's time stamp counter, hence vouches that it runs at one
// constant rate on all cores.
bool tsc_keeps_time();

}  // namespace polyflake::platform
