// Facts of this machine that ids depend on, for polyflake doctor. Two answers: posix_machine.cpp and windows_machine.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace polyflake::cli::machine {

// What the kernel keeps time by: "tsc", "kvm-clock", "hpet"; "" where it does not say.
std::string clock_source();
std::vector<std::string> clock_sources();  // that it could

// Which of the features that make a time stamp counter usable the processor names: "constant_tsc", "nonstop_tsc",
// "tsc_reliable", "hypervisor". Nothing where there is no such list.
std::optional<std::vector<std::string>> counter_features();

// What keeps the clock in step with others.
struct Discipline {
  bool synchronised;
  std::int64_t largest_error_us;  // as it thinks
  bool leap_second;               // one is to be inserted or deleted today
};
std::optional<Discipline> discipline();

// Names of running programs that set the clock: "chronyd", "systemd-timesyncd". Nothing where nobody says which ones run.
std::optional<std::vector<std::string>> time_services();

// A file that is written as time passes, and when it was: one of the future tells of a clock that was set back.
struct Trace {
  std::string path;
  std::int64_t written_ms;  // Unix ms
};
std::vector<Trace> traces();

// Whether memory can be had that a copy of the process (fork) finds zeroed, as tried just now. Nothing where it could not be
// tried, or this system has no such memory.
std::optional<bool> forks_wipe_memory();

// Of a folder that is there.
struct FileSystem {
  std::string name;    // "ext4", "nfs"; in hex where it is not known
  bool in_memory;      // gone when the host restarts
  bool of_the_kernel;  // which makes up what is in it, and takes no files of others
};
std::optional<FileSystem> file_system(const std::filesystem::path& folder);

// Whether this process may read, write and enter a folder that is there.
bool may_use(const std::filesystem::path& folder);

}  // namespace polyflake::cli::machine
