// Files that contain secrets.
#pragma once

#include <cstddef>
#include <string>

namespace polyflake::platform {

// Reads at most `most` bytes from the beginning of a plain file. Returns their number. Never opens
// a file that could make it wait. POSIX: refuses a file that others may read or write, or its group
// may write. The group may read, since Kubernetes hands a secret that way to a program that does
// not run as root. Windows: the permissions of the folder apply.
// Errors: option_invalid, naming the file.
std::size_t read_private_file(const std::string& path, char* bytes, std::size_t most);

}  // namespace polyflake::platform
