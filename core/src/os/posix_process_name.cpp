#include "os/process_name.hpp"

#if defined(__linux__)

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/posix_descriptor.hpp"
#include "os/posix_words.hpp"

namespace polyflake {
namespace {

// Returns the start time of this process in the kernel's units, the 22nd word of /proc/self/stat;
// "0" if it cannot be read. Together with it, a reused process number makes another name.
std::string start_of_process() {
  std::string text = platform::first_bytes_of("/proc/self/stat", 1024);
  text.erase(0, std::min(text.rfind(')'), text.size()));  // the name before may contain blanks
  std::size_t word = 0;
  for (int skipped = 2; skipped < 22 && word != std::string::npos; ++skipped) word = text.find(' ', word + 1);
  if (word == std::string::npos || word + 1 >= text.size()) return "0";
  return text.substr(word + 1, text.find(' ', word + 1) - word - 1);
}

// Containers may share a network, and so the names, but number their processes apart.
std::string numbering_of_processes() {
  struct stat space;
  return ::stat("/proc/self/ns/pid", &space) == 0 ? std::to_string(space.st_ino) : "0";
}

// Returns true if abstract sockets do not exist here, or are forbidden (seccomp).
bool says_there_is_none(int error) {
  return error == EAFNOSUPPORT || error == EPROTONOSUPPORT || error == EPERM || error == EACCES || error == ENOSYS ||
         error == EINVAL;
}

}  // namespace

// An abstract socket (unix(7)).
struct ProcessName::Holder {
  Descriptor socket;
};

std::string ProcessName::process() {
  return numbering_of_processes() + "/" + std::to_string(::getpid()) + "/" + start_of_process();
}

ProcessName::Take ProcessName::take(const std::string& name) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof address.sun_path) return Take::impossible;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // after a NUL: abstract
  auto made = std::make_unique<Holder>();
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 && says_there_is_none(errno)) return Take::impossible;
  if (fd < 0 || !made->socket.hold(fd)) return Take::failed;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    const int error = errno;
    made.reset();
    errno = error;
    if (error == EADDRINUSE) return Take::by_another;
    return says_there_is_none(error) ? Take::impossible : Take::failed;
  }
  holder_ = std::move(made);
  return Take::done;
}

}  // namespace polyflake

#else

namespace polyflake {

struct ProcessName::Holder {};

std::string ProcessName::process() { return {}; }
ProcessName::Take ProcessName::take(const std::string&) { return Take::impossible; }

}  // namespace polyflake

#endif

namespace polyflake {

ProcessName::ProcessName() = default;
ProcessName::~ProcessName() = default;

}  // namespace polyflake
