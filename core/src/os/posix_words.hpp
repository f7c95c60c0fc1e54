// Small files of the kernel and the system, read as words.
#pragma once

#include <cstddef>
#include <string>

namespace polyflake::platform {

// Returns at most `most` bytes of a file's content; "" if it cannot be read. Uses no locale, stream
// or lock, so that a forked child may call it.
std::string first_bytes_of(const char* path, std::size_t most);

// Returns the text before the first blank or line end.
std::string first_word_of(const char* path);

}  // namespace polyflake::platform
