#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "os/windows_system.hpp"

namespace polyflake::test {

constexpr bool kHeldFilesCanBeRemoved = false;
constexpr int kManyProcesses = 60;
constexpr const char* kImpossibleFolder = "C:\\windows\\win.ini\\polyflake";
constexpr const char* kNoFolder = "C:\\windows\\win.ini\\nowhere";
constexpr const char* kSomewhere = "C:\\somewhere";
constexpr const char* kElsewhere = "D:/state";

// As other languages' runtimes do, not as this one's.
inline void set_variable(const char* name, const std::string& value) {
  ::SetEnvironmentVariableW(platform::wide(name).c_str(), platform::wide(value).c_str());
}
inline void unset_variable(const char* name) { ::SetEnvironmentVariableW(platform::wide(name).c_str(), nullptr); }

inline std::string make_temporary_folder() {
  static int made = 0;
  for (;;) {
    const std::string name = "polyflake-test-" + std::to_string(::GetCurrentProcessId()) + "-" + std::to_string(++made);
    const auto path = std::filesystem::temp_directory_path() / name;
    if (std::filesystem::create_directory(path)) return path.string();
  }
}

inline std::uint64_t this_process() { return ::GetCurrentProcessId(); }

inline void write_out(const std::string& text) {
  DWORD written = 0;
  ::WriteFile(::GetStdHandle(STD_OUTPUT_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
  if (written != text.size()) std::abort();
}

inline void* map_file(const std::string& path, std::size_t& size) {
  const platform::Handle file(::CreateFileW(platform::system_path(path).c_str(), GENERIC_READ | GENERIC_WRITE,
                                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                            size == 0 ? OPEN_EXISTING : OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr));
  LARGE_INTEGER found;
  if (!file || !::GetFileSizeEx(file.get(), &found)) std::abort();
  if (size == 0) size = static_cast<std::size_t>(found.QuadPart);
  const auto high = static_cast<DWORD>(std::uint64_t{size} >> 32);
  const platform::Handle mapping(
      ::CreateFileMappingW(file.get(), nullptr, PAGE_READWRITE, high, static_cast<DWORD>(size), nullptr));
  void* const memory = mapping ? ::MapViewOfFile(mapping.get(), FILE_MAP_ALL_ACCESS, 0, 0, size) : nullptr;
  if (memory == nullptr) std::abort();
  return memory;
}
inline void unmap_file(void* memory, std::size_t) { ::UnmapViewOfFile(memory); }

}  // namespace polyflake::test
