#include "system.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>

namespace polyflake::cli::system {
namespace {

// The same bytes as elsewhere: no line ends of this system's own.
void as_bytes(int descriptor) { ::_setmode(descriptor, _O_BINARY); }

unsigned at_once(std::size_t count) { return static_cast<unsigned>(std::min<std::size_t>(count, INT_MAX)); }

}  // namespace

Result read(int descriptor, char* bytes, std::size_t most, std::size_t& count) {
  as_bytes(descriptor);
  const int got = ::_read(descriptor, bytes, at_once(most));
  if (got < 0) return Result::failed;
  count = static_cast<std::size_t>(got);
  return got == 0 ? Result::ended : Result::done;
}

Result write(int descriptor, const char* bytes, std::size_t count) {
  as_bytes(descriptor);
  while (count > 0) {
    const int put = ::_write(descriptor, bytes, at_once(count));
    // A pipe that nobody reads is EINVAL to this library.
    if (put < 0) return errno == EPIPE || errno == EINVAL ? Result::broken : Result::failed;
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
  return Result::done;
}

std::string last_failure() { return std::strerror(errno); }

bool is_terminal(int descriptor) { return ::_isatty(descriptor) != 0; }

bool is_standard_input(const std::string&) { return false; }  // it has no path here

void fill_standard_descriptors() {}  // nobody closes them here

Zone zone_at(std::int64_t unix_s) {
  const ::__time64_t time = unix_s;
  std::tm local{};
  if (::_localtime64_s(&local, &time) != 0) return {};
  std::tm as_utc = local;
  const auto shown = static_cast<std::int64_t>(::_mkgmtime64(&as_utc));
  return {shown - unix_s, ""};  // names of zones are sentences here, in the user's language
}

}  // namespace polyflake::cli::system
