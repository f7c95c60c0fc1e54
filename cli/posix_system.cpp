#include "system.hpp"

#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

namespace polyflake::cli::system {
namespace {

// A runtime that shares a pipe or terminal with us may have made it one that does not block.
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

void fill_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);  // the least number that is free
  }
}

namespace {

// Neither a file of the system's nor a rule of POSIX's, in which offsets stand: the system then takes UTC and calls it so.
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
