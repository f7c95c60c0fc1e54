// Small files of the kernel and of the system, whose words say something.
#pragma once

#include <cstddef>
#include <string>

namespace polyflake::platform {

// The content of a file up to so many bytes; "" where it cannot be read. No locale, stream or lock behind it: for the paths
// that a forked child may take.
std::string first_bytes_of(const char* path, std::size_t most);

// Up to the first blank or line end.
std::string first_word_of(const char* path);

}  // namespace polyflake::platform
