// Facts of this machine that ids depend on, for polyflake doctor. Implementations:
// posix_machine.cpp and windows_machine.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace polyflake::cli::machine {

// Returns the kernel's time source: "tsc", "kvm-clock", "hpet"; "" if the kernel does not tell.
std::string clock_source();
std::vector<std::string> clock_sources();  // those that it could use

// Returns the processor's features that make a time stamp counter usable: "constant_tsc",
// "nonstop_tsc", "tsc_reliable", "hypervisor". Nothing if there is no such list.
std::optional<std::vector<std::string>> counter_features();

// The service that keeps the clock in step with other clocks.
struct Discipline {
  bool synchronised;
  std::int64_t largest_error_us;  // its own estimate
  bool leap_second;               // one is to be inserted or deleted today
};
std::optional<Discipline> discipline();

// Returns the names of running programs that set the clock: "chronyd", "systemd-timesyncd". Nothing
// if the system does not list its programs.
std::optional<std::vector<std::string>> time_services();

// A file that is written as time passes, and the time of that. A time in the future shows that the
// clock was set back.
struct Trace {
  std::string path;
  std::int64_t written_ms;  // Unix ms
};
std::vector<Trace> traces();

// Returns true if memory is available that a copy of the process (fork) finds zeroed, by a test
// made now. Nothing if the test was not possible, or this system has no such memory.
std::optional<bool> forks_wipe_memory();

// The file system of an existing folder.
struct FileSystem {
  std::string name;    // "ext4", "nfs"; in hex if unknown
  bool in_memory;      // gone when the host restarts
  bool of_the_kernel;  // the kernel generates its content; it takes no other files
};
std::optional<FileSystem> file_system(const std::filesystem::path& folder);

// Returns true if this process may read, write and enter an existing folder.
bool may_use(const std::filesystem::path& folder);

// Returns true if this process may read and write an existing file.
bool may_write(const std::filesystem::path& file);

}  // namespace polyflake::cli::machine
