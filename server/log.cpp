#include "log.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <exception>

#include <poll.h>
#include <unistd.h>

namespace polyflake::server {
namespace {

void add(std::string_view key, std::string_view value, std::string& line) {
  if (!line.empty()) line += ' ';
  line += key;
  line += '=';
  const bool plain = !value.empty() && value.find_first_of(" \"=\\") == std::string_view::npos;
  if (plain) {
    line += value;
    return;
  }
  line += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') line += '\\';
    line += c < ' ' || c > '~' ? '?' : c;
  }
  line += '"';
}

// A pipe that is ready has place for PIPE_BUF bytes, which are written whole or not at all.
bool is_ready() {
  pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&standard_error, 1, 0) == 1 && (standard_error.revents & POLLOUT) != 0;
}

std::atomic<unsigned> left_out{0};  // lines

}  // namespace

void log(std::string_view event, std::initializer_list<std::pair<std::string_view, std::string>> pairs) noexcept {
  unsigned unwritten = 1;
  try {
    std::string line;
    add("event", event, line);
    for (const auto& [key, value] : pairs) add(key, value, line);
    if (is_ready()) {
      const unsigned before = left_out.exchange(0);
      unwritten += before;
      if (before != 0) add("left_out", std::to_string(before), line);
      line.resize(std::min<std::size_t>(line.size(), PIPE_BUF - 1));
      line += '\n';
      if (::write(STDERR_FILENO, line.data(), line.size()) >= 0) return;  // one write: lines of threads do not mix
    }
  } catch (const std::exception&) {
    // No memory for a line.
  }
  left_out += unwritten;
}

}  // namespace polyflake::server
