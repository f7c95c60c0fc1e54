#include "system.hpp"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/random.h>
#endif

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

namespace polyflake::cli::system {
namespace {

// A runtime that shares a pipe or terminal with this program may have made it non-blocking.
bool wait_for(int descriptor, short events) {
  pollfd one{descriptor, events, 0};
  return ::poll(&one, 1, -1) >= 0 || errno == EINTR;
}

bool try_again(int descriptor, short events) {
  if (errno == EINTR) return true;
  return (errno == EAGAIN || errno == EWOULDBLOCK) && wait_for(descriptor, events);
}

}  // namespace

Result read(int descriptor, char* bytes, std::size_t most, std::size_t& count) {
  for (;;) {
    const ssize_t got = ::read(descriptor, bytes, most);
    if (got < 0 && try_again(descriptor, POLLIN)) continue;
    if (got < 0) return Result::failed;
    count = static_cast<std::size_t>(got);
    return got == 0 ? Result::ended : Result::done;
  }
}

Result write(int descriptor, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t put = ::write(descriptor, bytes, count);
    if (put < 0 && try_again(descriptor, POLLOUT)) continue;
    if (put < 0) return errno == EPIPE ? Result::broken : Result::failed;
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
  return Result::done;
}

std::string last_failure() {
#if defined(__APPLE__)
  return std::strerror(errno);
#else
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strerror_l(errno, plain);
#endif
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

bool is_standard_input(const std::string& path) {
  struct stat input, file;
  return ::fstat(0, &input) == 0 && ::stat(path.c_str(), &file) == 0 && input.st_dev == file.st_dev &&
         input.st_ino == file.st_ino;
}

namespace {

constexpr std::size_t kMostKeyBytes = 32;

// The text of a new key, which is wiped afterwards.
struct KeyText {
  KeyText() = default;
  KeyText(const KeyText&) = delete;
  KeyText& operator=(const KeyText&) = delete;
  ~KeyText() {
    volatile char* byte = text;
    for (std::size_t i = 0; i < sizeof text; ++i) byte[i] = 0;
  }

  bool draw(std::size_t bytes) {
    constexpr char kHex[] = "0123456789abcdef";
    // The random bytes lie in the second half of their text.
    auto* const random = reinterpret_cast<unsigned char*>(text) + bytes;
    if (::getentropy(random, bytes) != 0) return false;
    for (std::size_t i = 0; i < bytes; ++i) {
      const unsigned char byte = random[i];
      text[2 * i] = kHex[byte >> 4];
      text[2 * i + 1] = kHex[byte & 15];
    }
    text[2 * bytes] = '\n';
    size = 2 * bytes + 1;
    return true;
  }

  char text[2 * kMostKeyBytes + 1] = {};
  std::size_t size = 0;
};

}  // namespace

Made make_key_file(const std::string& path, std::size_t bytes) {
  KeyText key;
  if (bytes > kMostKeyBytes || !key.draw(bytes)) return Made::no;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return errno == EEXIST ? Made::exists : Made::no;
  // The umask may have taken more away.
  const bool made = ::fchmod(file, 0600) == 0 && write(file, key.text, key.size) == Result::done && ::fsync(file) == 0;
  const int failure = errno;
  const bool closed = ::close(file) == 0;
  if (made && closed) return Made::yes;
  if (!made) errno = failure;
  const int reason = errno;
  ::unlink(path.c_str());
  errno = reason;
  return Made::no;
}

void fill_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Gets the least number that is free.
    ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  }
}

namespace {

// Returns true if the name is neither a file of the system nor a rule of POSIX, which has digits:
// the system then takes UTC under that name.
bool names_no_zone(std::string_view name) {
  if (name.substr(0, 1) == ":") name.remove_prefix(1);
  if (name.empty() || name == "UTC" || name == "GMT" || name.find_first_of("0123456789") != std::string_view::npos)
    return false;
  const char* const folder = std::getenv("TZDIR");
  const std::string file = (folder == nullptr ? "/usr/share/zoneinfo" : folder) + ("/" + std::string(name));
  return ::access(name[0] == '/' ? std::string(name).c_str() : file.c_str(), R_OK) != 0;
}

}  // namespace

Zone zone_at(std::int64_t unix_s) {
  const auto time = static_cast<std::time_t>(unix_s);
  std::tm local{};
  if (::localtime_r(&time, &local) == nullptr) return {};
  const char* const wanted = std::getenv("TZ");
  if (wanted != nullptr && local.tm_gmtoff == 0 && names_no_zone(wanted)) return {0, "UTC (TZ names no zone)"};
  return {local.tm_gmtoff, local.tm_zone == nullptr ? "" : local.tm_zone};
}

}  // namespace polyflake::cli::system
