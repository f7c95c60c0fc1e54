// The operating system for commands: bytes in and out, terminals, the local zone. Implementations:
// posix_system.cpp and windows_system.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace polyflake::cli::system {

// ended: no more input; broken: the output has no reader any more.
enum class Result { done, ended, broken, failed };

// Reads up to `most` bytes, and at least one unless the input has ended. Blocks. Continues after
// signals.
Result read(int descriptor, char* bytes, std::size_t most, std::size_t& count);

// Writes all bytes. Blocks.
Result write(int descriptor, const char* bytes, std::size_t count);

// Returns the system's reason for the last failed call: in English, in any locale of the host.
std::string last_failure();

bool is_terminal(int descriptor);

// Returns true if the path leads to standard input.
bool is_standard_input(const std::string& path);

// Makes a file that holds a new key: two hex digits for each of `bytes` random bytes, at most 32,
// and a line end. POSIX: only its owner may read it (mode 0600). Windows: the permissions of the
// folder apply. It leaves alone anything that exists at the path. no: last_failure() has the
// reason, and no file is left behind. Blocks: file I/O.
enum class Made { yes, exists, no };
Made make_key_file(const std::string& path, std::size_t bytes);

// If standard input, output or error is closed, opens a descriptor in its place that fails in the
// same way, so that no file or socket of the program gets its number.
void fill_standard_descriptors();

// The zone that TZ or the host names, at this time: seconds east of UTC, and its abbreviation.
struct Zone {
  std::int64_t east_s = 0;
  std::string name;
};
Zone zone_at(std::int64_t unix_s);

}  // namespace polyflake::cli::system
