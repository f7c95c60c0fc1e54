#include "machine.hpp"

#include <io.h>

namespace polyflake::cli::machine {

// Windows does not give these facts to programs.
std::string clock_source() { return ""; }
std::vector<std::string> clock_sources() { return {}; }
std::optional<std::vector<std::string>> counter_features() { return std::nullopt; }
std::optional<Discipline> discipline() { return std::nullopt; }
std::optional<std::vector<std::string>> time_services() { return std::nullopt; }
std::vector<Trace> traces() { return {}; }
std::optional<FileSystem> file_system(const std::filesystem::path&) { return std::nullopt; }

std::optional<bool> forks_wipe_memory() { return true; }  // processes are not copied here

bool may_write(const std::filesystem::path& file) { return ::_waccess(file.c_str(), 6) == 0; }

bool may_use(const std::filesystem::path& folder) { return ::_waccess(folder.c_str(), 6) == 0; }

}  // namespace polyflake::cli::machine
