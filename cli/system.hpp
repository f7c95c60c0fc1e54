// What commands ask of the operating system: bytes in and out, terminals, the local zone. Two answers: posix_system.cpp and
// windows_system.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace polyflake::cli::system {

enum class Result { done, ended, broken, failed };  // ended: no more input; broken: nobody reads any more

// Reads up to `most` bytes, and at least one unless the input has ended. Blocks. Takes up again what a signal interrupted.
Result read(int descriptor, char* bytes, std::size_t most, std::size_t& count);

// Writes all of it. Blocks.
Result write(int descriptor, const char* bytes, std::size_t count);

// Why the last call that failed did, in the system's words: English, whatever locale the host has set.
std::string last_failure();

bool is_terminal(int descriptor);

// Whether the path leads to what is standard input.
bool is_standard_input(const std::string& path);

// Where standard input, output or error is closed, puts in its place what fails in the same way, so that no file or socket of
// ours gets its number.
void fill_standard_descriptors();

// Of the zone that TZ or the host names, at this time: seconds east of UTC, and the abbreviation of its name.
struct Zone {
  std::int64_t east_s = 0;
  std::string name;
};
Zone zone_at(std::int64_t unix_s);

}  // namespace polyflake::cli::system
