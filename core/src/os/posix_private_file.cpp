#include <polyflake/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/failure.hpp"
#include "os/private_file.hpp"

namespace polyflake::platform {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::option_invalid, "file " + quoted_path(path) + " " + reason);
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (number_ < 0) refuse_file(path, "cannot be opened: " + last_error());
  }
  ~OpenFile() { ::close(number_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }

 private:
  const int number_;
};

void check_mode(const std::string& path, const struct stat& file) {
  if (!S_ISREG(file.st_mode)) refuse_file(path, "is no plain file");
  if ((file.st_mode & (S_IWGRP | S_IRWXO)) != 0) {
    refuse_file(path,
                "may be read by everybody or written by others than its owner: chmod 600, or 640 for a group to read");
  }
}

}  // namespace

std::size_t read_private_file(const std::string& path, char* bytes, std::size_t most) {
  if (path.find('\0') != std::string::npos) refuse_file(path, "has a NUL in its name");
  const OpenFile file(path);
  struct stat facts{};
  if (::fstat(file.number(), &facts) != 0) refuse_file(path, "cannot be looked at: " + last_error());
  check_mode(path, facts);
  std::size_t size = 0;
  while (size < most) {
    const ssize_t count = ::read(file.number(), bytes + size, most - size);
    if (count == 0) break;
    if (count > 0) {
      size += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      refuse_file(path, "cannot be read: " + last_error());
    }
  }
  return size;
}

}  // namespace polyflake::platform
