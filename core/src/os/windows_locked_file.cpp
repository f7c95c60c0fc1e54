#include "os/locked_file.hpp"

#include <cstring>
#include <initializer_list>
#include <utility>

#include "os/failure.hpp"
#include "os/os.hpp"
#include "os/owner.hpp"
#include "os/windows_system.hpp"

namespace polyflake {

using platform::fail;
using platform::Handle;
using platform::narrow;
using platform::refuse;
using platform::system_path;
using platform::without_prefix;

namespace {

bool is_one_of(DWORD error, std::initializer_list<DWORD> errors) {
  for (const DWORD one : errors) {
    if (error == one) return true;
  }
  return false;
}

// Antivirus, indexers and backups open files for some ms. A removed file remains until the last of
// them closes it.
bool may_pass(DWORD error) {
  return is_one_of(error, {ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_ACCESS_DENIED, ERROR_DELETE_PENDING});
}

bool is_missing(DWORD error) { return is_one_of(error, {ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND}); }

Handle open_file(const std::string& path, DWORD access, DWORD share, DWORD disposition) {
  constexpr int kMostTries = 25;
  constexpr std::int64_t kPauseNs = 2'000'000;
  const std::wstring name = system_path(path);
  for (int tries = 1;; ++tries) {
    // Opens the link, junction or placeholder itself, so that it can be refused.
    Handle file(::CreateFileW(name.c_str(), access, share, nullptr, disposition,
                              FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
    if (file || !may_pass(::GetLastError()) || tries == kMostTries) return file;
    platform::sleep_ns(kPauseNs);
  }
}

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

bool inspect(HANDLE file, FILE_ID_INFO& id) {
  return ::GetFileInformationByHandleEx(file, FileIdInfo, &id, sizeof id) != 0;
}

bool same(const FILE_ID_INFO& one, const FILE_ID_INFO& other) {
  return one.VolumeSerialNumber == other.VolumeSerialNumber &&
         std::memcmp(&one.FileId, &other.FileId, sizeof one.FileId) == 0;
}

std::string hex(const unsigned char* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

// Leaves out the creation time: a file made soon after one of its name was removed gets the time of
// that one.
FileView view_of(HANDLE file, const std::string& path) {
  FILE_ID_INFO id;
  FILE_BASIC_INFO times;
  if (!inspect(file, id) || !::GetFileInformationByHandleEx(file, FileBasicInfo, &times, sizeof times))
    fail(path, "inspect");
  return {std::to_string(id.VolumeSerialNumber) + ":" + hex(id.FileId.Identifier, sizeof id.FileId.Identifier) + ":" +
              platform::machine_id(),
          platform::unix_ns(times.ChangeTime.QuadPart), 0};
}

OVERLAPPED at(std::uint64_t offset) {
  OVERLAPPED overlapped = {};
  overlapped.Offset = static_cast<DWORD>(offset);
  overlapped.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return overlapped;
}

FileView read_from(HANDLE file, const std::string& path, char* bytes, std::size_t most) {
  FileView view = view_of(file, path);
  OVERLAPPED overlapped = at(0);
  DWORD size = 0;
  if (!::ReadFile(file, bytes, static_cast<DWORD>(most), &size, &overlapped) && ::GetLastError() != ERROR_HANDLE_EOF) {
    fail(path, "read");
  }
  view.size = size;
  return view;
}

void refuse_links(HANDLE file, const std::string& path) {
  FILE_ATTRIBUTE_TAG_INFO info;
  if (!::GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof info)) fail(path, "inspect");
  if ((info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
    refuse(path, "is a link, or kept elsewhere (a reparse point)");
}

template <class Ask>
std::wstring path_from(const Ask& ask) {
  std::wstring path(512, L'\0');
  for (;;) {
    const DWORD size = ask(path.data(), static_cast<DWORD>(path.size()));
    const bool complete = size < path.size();
    path.resize(size);
    if (complete) return without_prefix(path);
  }
}

// Python from the Microsoft Store gets a private folder when it asks for a common one: there it
// would find no other process.
void refuse_redirection(HANDLE file, const std::string& path) {
  const std::wstring asked = system_path(path);
  const std::wstring whole =
      path_from([&](wchar_t* text, DWORD size) { return ::GetLongPathNameW(asked.c_str(), text, size); });
  const std::wstring found = path_from([&](wchar_t* text, DWORD size) {
    return ::GetFinalPathNameByHandleW(file, text, size, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
  });
  if (whole.empty() || found.empty()) fail(path, "find where the system keeps");
  if (::CompareStringOrdinal(whole.data(), static_cast<int>(whole.size()), found.data(), static_cast<int>(found.size()),
                             TRUE) == CSTR_EQUAL) {
    return;
  }
  refuse(path, "is kept at '" + narrow(found) +
                   "', where other programs may not look. Point POLYFLAKE_HOME at a folder that "
                   "is what it is called");
}

// Far from the slots: a locked range cannot be read, but the owner's label must be readable.
constexpr std::uint64_t kLockedByte = std::uint64_t{1} << 40;

}  // namespace

struct LockedFile::System {
  Handle file;
  bool locked = false;
  FILE_ID_INFO id = {};

  void unlock() {
    if (!locked) return;
    OVERLAPPED overlapped = at(kLockedByte);
    ::UnlockFileEx(file.get(), 0, 1, 0, &overlapped);
    locked = false;
  }
  void close() {
    unlock();
    file = Handle();
  }
};

LockedFile::LockedFile(std::string path) : path_(std::move(path)), execution_(0), system_(std::make_unique<System>()) {}

LockedFile::~LockedFile() { system_->close(); }

LockedFile::Try LockedFile::try_lock(Missing missing) {
  system_->close();
  // Does not share deletion, so that no process removes or renames a held file.
  Handle file = open_file(path_, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                          missing == Missing::make ? OPEN_ALWAYS : OPEN_EXISTING);
  if (!file && missing == Missing::leave && is_missing(::GetLastError())) return Try::missing;
  if (!file && ::GetLastError() == ERROR_WRITE_PROTECT) refuse(path_, "is on a file system that is read-only");
  if (!file) fail(path_, missing == Missing::make ? "open or make" : "open");
  refuse_links(file.get(), path_);
  refuse_redirection(file.get(), path_);
  if (!inspect(file.get(), system_->id)) fail(path_, "inspect");
  OVERLAPPED overlapped = at(kLockedByte);
  if (!::LockFileEx(file.get(), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &overlapped)) {
    if (is_one_of(::GetLastError(), {ERROR_LOCK_VIOLATION, ERROR_IO_PENDING})) return Try::held;
    fail(path_, "lock");
  }
  system_->file = std::move(file);
  system_->locked = true;
  return Try::locked;
}

bool LockedFile::is_shared() const {
  FILE_REMOTE_PROTOCOL_INFO remote;
  if (::GetFileInformationByHandleEx(system_->file.get(), FileRemoteProtocolInfo, &remote, sizeof remote)) return true;
  return platform::file_system(path_).shared;
}

FileView LockedFile::read(char* bytes, std::size_t most) const {
  return read_from(system_->file.get(), path_, bytes, most);
}

std::optional<FileView> LockedFile::look(const std::string& path, char* bytes, std::size_t most) {
  const Handle file = open_file(path, GENERIC_READ, kShareAll, OPEN_EXISTING);
  if (!file && is_missing(::GetLastError())) return std::nullopt;
  if (!file) throw Unread(platform::why_failed(path, "open"));
  refuse_links(file.get(), path);
  return read_from(file.get(), path, bytes, most);
}

void LockedFile::check_at_path() const {
  FILE_ID_INFO id;
  if (!inspect(system_->file.get(), id) || !same(id, system_->id)) refuse(path_, "was closed by somebody else");
  const Handle found = open_file(path_, FILE_READ_ATTRIBUTES, kShareAll, OPEN_EXISTING);
  if (!found || !inspect(found.get(), id)) fail(path_, "find");
  if (!same(id, system_->id)) refuse(path_, "was replaced while this process used it");
}

void LockedFile::check_execution() const {}
void LockedFile::prepare_writing(std::size_t /*slot_size*/) {}

void LockedFile::write(std::string_view slot, std::uint64_t offset) {
  OVERLAPPED overlapped = at(offset);
  DWORD written = 0;
  if (!::WriteFile(system_->file.get(), slot.data(), static_cast<DWORD>(slot.size()), &written, &overlapped))
    fail(path_, "write");
  if (written != slot.size()) {
    refuse(path_,
           "took only " + std::to_string(written) + " of " + std::to_string(slot.size()) + " bytes: is the disk full?");
  }
  // Otherwise the system may record the time of closing as a change.
  FILE_BASIC_INFO change = {};  // a time of 0 is left unchanged
  FILETIME now;
  ::GetSystemTimeAsFileTime(&now);
  change.LastWriteTime.QuadPart = change.ChangeTime.QuadPart = platform::since_1601(now);
  ::SetFileInformationByHandle(system_->file.get(), FileBasicInfo, &change, sizeof change);
}

void LockedFile::flush() {
  if (!::FlushFileBuffers(system_->file.get())) fail(path_, "flush");
}

void LockedFile::unlock() noexcept { system_->unlock(); }

std::string LockedFile::holder(const std::string& /*path*/) { return {}; }

// Source: "The time it takes for the operating system to unlock these locks depends upon available
// system resources" (LockFileEx).
std::int64_t LockedFile::lingers_ms() { return 1000; }

}  // namespace polyflake
