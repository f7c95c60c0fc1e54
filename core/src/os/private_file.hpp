// Files with secrets.
#pragma once

#include <cstddef>
#include <string>

namespace polyflake::platform {

// Reads from the beginning of a plain file, at most so many bytes; returns how many. It opens no file that would keep it
// waiting. POSIX: refuses a file that its mode lets everybody read or write, or the group write. The group may read, since that
// is how Kubernetes hands a secret to a program that does not run as root. Windows: what the file's folder allows holds.
// Errors: option_invalid, naming the file.
std::size_t read_private_file(const std::string& path, char* bytes, std::size_t most);

}  // namespace polyflake::platform
