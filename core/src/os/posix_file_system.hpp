// The file system of an open file.
#pragma once

#include "os/os.hpp"

namespace polyflake::platform {

FileSystem file_system(int fd);

}  // namespace polyflake::platform
