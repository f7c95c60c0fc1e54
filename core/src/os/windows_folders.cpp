#include "os/os.hpp"

#include <polyflake/error.hpp>

#include <algorithm>

#include "os/failure.hpp"
#include "os/windows_system.hpp"

namespace polyflake::platform {

std::wstring system_path(const std::string& path) {
  const std::wstring given = wide(path);
  std::wstring full(given.size() + 64, L'\0');
  for (;;) {
    const DWORD size = ::GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr);
    const bool complete = size < full.size();
    full.resize(size);
    if (complete) break;
  }
  constexpr std::size_t kLongest = 240;  // the longest path that every call takes as it is
  return full.size() < kLongest ? full : L"\\\\?\\" + full;
}

std::wstring without_prefix(const std::wstring& path) {
  return path.substr(0, 4) == L"\\\\?\\" ? path.substr(4) : path;
}

// Accepts only paths with a drive. A path that begins with two separators is on another host, or is
// a device.
bool is_absolute(const std::string& path) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return path.size() > 2 && is_letter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
}

std::string inside(const std::string& folder, const std::string& name) {
  std::string path = folder + "\\" + name;
  std::replace(path.begin() + static_cast<std::ptrdiff_t>(folder.size()), path.end(), '/', '\\');
  return path;
}

const char* user_folder_variable() { return "USERPROFILE"; }

namespace {

bool is_folder(const std::wstring& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

Handle open_folder(const std::wstring& path, DWORD access, DWORD flags = 0) {
  return Handle(::CreateFileW(path.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
}

FILE_BASIC_INFO times_of(const Handle& folder, const std::string& path) {
  FILE_BASIC_INFO info;
  if (!folder || !::GetFileInformationByHandleEx(folder.get(), FileBasicInfo, &info, sizeof info)) {
    throw Error(ErrorCode::registry_unusable, "cannot inspect the registry folder '" + path + "': " + last_error());
  }
  return info;
}

}  // namespace

// Private to this user as far as the parent folder is; the user's own folder is.
void make_folders(const std::string& path) {
  const std::wstring full = system_path(path);
  const std::size_t drive = full.find(L":\\");
  for (std::size_t end = drive == std::wstring::npos ? 0 : drive + 2;;) {
    end = full.find(L'\\', end);
    const std::wstring folder = full.substr(0, end);
    if (!::CreateDirectoryW(folder.c_str(), nullptr)) {
      const DWORD error = ::GetLastError();
      if (!is_folder(folder)) {
        ::SetLastError(error);
        throw Error(ErrorCode::registry_unusable,
                    "cannot create the registry folder '" + path + "': " + last_error() +
                        "; make it writable, or point POLYFLAKE_HOME at a folder that is");
      }
    }
    if (end == std::wstring::npos) return;
    ++end;
  }
}

Found find(const std::string& path) {
  if (::GetFileAttributesW(system_path(path).c_str()) != INVALID_FILE_ATTRIBUTES) return Found::yes;
  const DWORD error = ::GetLastError();
  return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? Found::no : Found::unknown;
}

std::vector<std::string> names_in(const std::string& folder) {
  const auto refuse_folder = [&] {
    throw Error(ErrorCode::registry_unusable, "cannot read the registry folder '" + folder + "': " + last_error());
  };
  std::vector<std::string> names;
  WIN32_FIND_DATAW entry;
  HANDLE entries = ::FindFirstFileW(system_path(folder + "\\*").c_str(), &entry);
  if (entries == INVALID_HANDLE_VALUE) refuse_folder();
  DWORD ended = ERROR_SUCCESS;
  try {
    do {
      names.push_back(narrow(entry.cFileName));
    } while (::FindNextFileW(entries, &entry));
    ended = ::GetLastError();
  } catch (...) {
    ::FindClose(entries);
    throw;
  }
  ::FindClose(entries);
  ::SetLastError(ended);
  if (ended != ERROR_NO_MORE_FILES) refuse_folder();
  return names;
}

FolderTimes folder_times(const std::string& path) {
  const FILE_BASIC_INFO info = times_of(open_folder(system_path(path), FILE_READ_ATTRIBUTES), path);
  return {unix_ns(info.LastWriteTime.QuadPart), unix_ns(info.ChangeTime.QuadPart)};
}

Links links_on(const std::string& path, std::int64_t latest_ns) {
  const std::wstring full = system_path(path);
  Links links;
  for (std::size_t end = full.find(L":\\") + 2; end < full.size();) {
    end = std::min(full.find(L'\\', end + 1), full.size());
    const std::wstring part = full.substr(0, end);
    const DWORD attributes = ::GetFileAttributesW(part.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) continue;
    const Handle link = open_folder(part, FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT);
    links.add(end, unix_ns(times_of(link, path).ChangeTime.QuadPart), latest_ns);
  }
  return links;
}

void note_change(const std::string& folder) {
  const Handle file = open_folder(system_path(folder), FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES);
  FILE_BASIC_INFO info;
  if (!file || !::GetFileInformationByHandleEx(file.get(), FileBasicInfo, &info, sizeof info)) return;
  if ((info.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0) return;
  FILE_BASIC_INFO change = {};  // a time of 0 is left unchanged
  FILETIME now;
  ::GetSystemTimeAsFileTime(&now);
  change.ChangeTime.QuadPart = since_1601(now);
  change.FileAttributes = info.FileAttributes;
  ::SetFileInformationByHandle(file.get(), FileBasicInfo, &change, sizeof change);
}

// A container's disk cannot be told from others here.
FileSystem file_system(const std::string& path) {
  const std::wstring plain = without_prefix(system_path(path));
  return {plain.substr(0, 2) == L"\\\\" || ::GetDriveTypeW(plain.substr(0, 3).c_str()) == DRIVE_REMOTE, false};
}

}  // namespace polyflake::platform
