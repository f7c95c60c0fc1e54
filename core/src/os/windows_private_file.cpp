#include <polyflake/error.hpp>

#include "os/failure.hpp"
#include "os/private_file.hpp"
#include "os/windows_system.hpp"

namespace polyflake::platform {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::option_invalid, "file " + quoted_path(path) + " " + reason);
}

}  // namespace

std::size_t read_private_file(const std::string& path, char* bytes, std::size_t most) {
  if (path.find('\0') != std::string::npos) refuse_file(path, "has a NUL in its name");
  const Handle file(::CreateFileW(system_path(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!file) refuse_file(path, "cannot be opened: " + last_error());
  if (::GetFileType(file.get()) != FILE_TYPE_DISK) refuse_file(path, "is no plain file");
  DWORD size = 0;
  if (::ReadFile(file.get(), bytes, static_cast<DWORD>(most), &size, nullptr) == 0) {
    refuse_file(path, "cannot be read: " + last_error());
  }
  return size;
}

}  // namespace polyflake::platform
