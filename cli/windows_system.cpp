#include "system.hpp"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace polyflake::cli::system {
namespace {

// The same bytes as elsewhere: no line ends of Windows.
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
    // For a pipe without a reader this library gives EINVAL.
    if (put < 0) return errno == EPIPE || errno == EINVAL ? Result::broken : Result::failed;
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
  return Result::done;
}

std::string last_failure() { return std::strerror(errno); }

bool is_terminal(int descriptor) { return ::_isatty(descriptor) != 0; }

bool is_standard_input(const std::string&) { return false; }  // it has no path here

Made make_key_file(const std::string& path, std::size_t bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    unsigned random = 0;
    if (::rand_s(&random) != 0) return Made::no;
    text += kHex[random >> 4 & 15];
    text += kHex[random & 15];
  }
  text += '\n';
  const std::filesystem::path name = std::filesystem::u8path(path);
  const int file = ::_wopen(name.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
  if (file < 0) return errno == EEXIST ? Made::exists : Made::no;
  const bool made = write(file, text.data(), text.size()) == Result::done && ::_commit(file) == 0;
  const int reason = errno;
  ::_close(file);
  if (made) return Made::yes;
  ::_wunlink(name.c_str());
  errno = reason;
  return Made::no;
}

void fill_standard_descriptors() {}  // they are never closed here

Zone zone_at(std::int64_t unix_s) {
  const ::__time64_t time = unix_s;
  std::tm local{};
  if (::_localtime64_s(&local, &time) != 0) return {};
  std::tm as_utc = local;
  const auto shown = static_cast<std::int64_t>(::_mkgmtime64(&as_utc));
  // Names of zones are sentences here, in the user's language.
  return {shown - unix_s, ""};
}

}  // namespace polyflake::cli::system
