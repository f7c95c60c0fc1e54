#include "os/posix_words.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace polyflake::platform {

std::string first_bytes_of(const char* path, std::size_t most) {
  std::string bytes(most, '\0');  // before there is a descriptor to leak
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t size = ::read(fd, bytes.data(), bytes.size());
  ::close(fd);
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return bytes;
}

std::string first_word_of(const char* path) {
  const std::string text = first_bytes_of(path, 64);
  return text.substr(0, text.find_first_of(" \n"));
}

}  // namespace polyflake::platform
