#include "issue/process_mark.hpp"

#include <polyflake/error.hpp>

#if defined(__linux__)

#include <polyflake/text.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <system_error>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "os/descriptor.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// When this process started, as the kernel counts: the 22nd word of /proc/self/stat, "0" where it cannot be read. With
// it a number that the system gives to a later process names another one.
std::string start_of_process() {
  std::string text = platform::first_bytes_of("/proc/self/stat", 1024);
  text.erase(0, std::min(text.rfind(')'), text.size()));  // the name before may hold blanks
  std::size_t word = 0;
  for (int skipped = 2; skipped < 22 && word != std::string::npos; ++skipped) word = text.find(' ', word + 1);
  if (word == std::string::npos || word + 1 >= text.size()) return "0";
  return text.substr(word + 1, text.find(' ', word + 1) - word - 1);
}

// Containers may share a network, and with it the names, but number their processes apart.
std::string numbering_of_processes() {
  struct stat space;
  return ::stat("/proc/self/ns/pid", &space) == 0 ? std::to_string(space.st_ino) : "0";
}

// Never changed: copies of all versions must agree on it.
std::string name_of(std::uint64_t fingerprint, std::uint64_t node) {
  return "polyflake/" + numbering_of_processes() + "/" + std::to_string(::getpid()) + "/" + start_of_process() + "/" +
         to_text(fingerprint, "hex") + "/" + std::to_string(node);
}

[[noreturn]] void fail(std::uint64_t node) {
  const int error = errno;
  throw Error(ErrorCode::registry_unusable, "cannot mark node id " + std::to_string(node) + " as used by this process: " +
                                                std::generic_category().message(error));
}

// There are no abstract sockets here, or they are forbidden (seccomp): as on other systems.
bool says_there_is_none(int error) {
  return error == EAFNOSUPPORT || error == EPROTONOSUPPORT || error == EPERM || error == EACCES || error == ENOSYS ||
         error == EINVAL;
}

}  // namespace

ProcessMark::ProcessMark() = default;
ProcessMark::~ProcessMark() = default;

bool ProcessMark::take(std::uint64_t fingerprint, std::uint64_t node) {
  if (socket_ != nullptr) return true;
  const std::string name = name_of(fingerprint, node);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof address.sun_path) return true;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // behind a NUL: abstract
  auto made = std::make_unique<Descriptor>();
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 && says_there_is_none(errno)) return true;
  if (fd < 0 || !made->hold(fd)) fail(node);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    if (errno == EADDRINUSE) return false;
    if (says_there_is_none(errno)) return true;
    fail(node);
  }
  socket_ = std::move(made);
  return true;
}

}  // namespace polyflake

#else

#if defined(_WIN32)
namespace polyflake {
class Descriptor {};
}  // namespace polyflake
#else
#include "os/descriptor.hpp"
#endif

namespace polyflake {

ProcessMark::ProcessMark() = default;
ProcessMark::~ProcessMark() = default;
bool ProcessMark::take(std::uint64_t, std::uint64_t) { return true; }

}  // namespace polyflake

#endif
