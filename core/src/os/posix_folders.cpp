#include "os/os.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/failure.hpp"
#include "os/posix_description.hpp"

namespace polyflake::platform {

bool is_absolute(const std::string& path) { return path.substr(0, 1) == "/"; }

std::string inside(const std::string& folder, const std::string& name) { return folder + "/" + name; }

const char* user_folder_variable() { return "HOME"; }

namespace {

// Best effort: without it a power failure costs the quarantine of a new registry.
void flush_folder_of(const std::string& path) {
  const int fd = ::open(path.substr(0, path.rfind('/')).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

[[noreturn]] void refuse_to_make(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::registry_unusable, "cannot create the registry folder '" + path + "': " + reason +
                                                "; make it writable, or point POLYFLAKE_HOME at a folder that is");
}

}  // namespace

void make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), 0700) == 0) {
      flush_folder_of(folder);
    } else if (errno != EEXIST) {
      struct stat info;
      const std::string said = last_error();
      if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
        refuse_to_make(path, said);
      }
    }
    if (slash == std::string::npos) return;
  }
}

Found find(const std::string& path) {
  std::error_code failed;
  const bool exists = std::filesystem::exists(path, failed);
  return failed ? Found::unknown : exists ? Found::yes : Found::no;
}

namespace {

[[noreturn]] void refuse_folder(const std::string& folder) {
  throw Error(ErrorCode::registry_unusable, "cannot read the registry folder '" + folder + "': " + last_error());
}

}  // namespace

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const entries = ::opendir(folder.c_str());
  if (entries == nullptr) refuse_folder(folder);
  const std::unique_ptr<DIR, int (*)(DIR*)> closing(entries, ::closedir);
  errno = 0;  // readdir(3) tells an error from the end by it
  while (const dirent* const entry = ::readdir(entries)) {
    names.emplace_back(entry->d_name);
    errno = 0;
  }
  if (errno != 0) refuse_folder(folder);
  return names;
}

FolderTimes folder_times(const std::string& path) {
  Description folder;
  if (!describe(AT_FDCWD, path.c_str(), folder)) {
    throw Error(ErrorCode::registry_unusable, "cannot inspect the registry folder '" + path + "': " + last_error());
  }
  return {folder.written_ns, folder.changed_ns};
}

Links links_on(const std::string& path, std::int64_t latest_ns) {
  constexpr int kMostLinks = 40;  // as in Linux
  Links links;
  std::string walked, ahead = path;  // the path resolved so far, and the rest of it
  for (int count = 0; !ahead.empty();) {
    const std::size_t end = std::min(ahead.find('/', 1), ahead.size());
    std::string next = walked + ahead.substr(0, end);
    ahead.erase(0, end);
    char target[PATH_MAX];
    const ssize_t size = ::readlink(next.c_str(), target, sizeof target);
    if (size < 0) {
      if (errno != EINVAL) refuse_folder(path);  // EINVAL: it exists and is not a link
      walked = std::move(next);
      continue;
    }
    Description link;
    if (++count > kMostLinks) errno = ELOOP;
    if (count > kMostLinks || !describe(AT_FDCWD, next.c_str(), link, LastLink::described)) refuse_folder(path);
    links.add(link.inode, link.changed_ns, latest_ns);
    const std::string led_to(target, static_cast<std::size_t>(size));
    const bool from_the_root = led_to.front() == '/';
    if (from_the_root) walked.clear();
    ahead.insert(0, (from_the_root ? "" : "/") + led_to);
  }
  return links;
}

void note_change(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(folder, ignored);
  if (fs::is_directory(status)) fs::permissions(folder, status.permissions(), ignored);
}

}  // namespace polyflake::platform
