#include "lines.hpp"

#include <algorithm>
#include <cstring>

#include "output.hpp"
#include "system.hpp"

namespace polyflake::cli {

const char* Lines::newline_from(std::size_t offset) const {
  return static_cast<const char*>(std::memchr(bytes_.data() + begin_ + offset, '\n', end_ - begin_ - offset));
}

bool Lines::waiting() const { return newline_from(0) != nullptr; }

// Returns false once the input has ended, or if there is no room for more.
bool Lines::fill() {
  std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (ended_ || end_ == bytes_.size()) return false;
  std::size_t count = 0;
  const system::Result result = system::read(descriptor_, bytes_.data() + end_, bytes_.size() - end_, count);
  if (result == system::Result::failed) throw StreamFailure("input cannot be read: " + system::last_failure());
  ended_ = result != system::Result::done;
  end_ += count;
  return !ended_;
}

const char* Lines::newline() {
  for (std::size_t looked = 0;;) {
    if (const char* const found = newline_from(looked)) return found;
    looked = end_ - begin_;
    if (!fill()) return nullptr;
  }
}

// Skips the rest of a line that did not fit.
void Lines::skip_rest() {
  while (rest_) {
    const char* const found = newline_from(0);
    begin_ = found == nullptr ? end_ : static_cast<std::size_t>(found - bytes_.data()) + 1;
    rest_ = found == nullptr && fill();
  }
}

bool Lines::next(std::string_view& line) {
  skip_rest();
  const char* const end = newline();
  const char* const begin = bytes_.data() + begin_;
  const std::size_t length = end == nullptr ? end_ - begin_ : static_cast<std::size_t>(end - begin);
  if (end == nullptr && length == 0) return false;
  rest_ = end == nullptr && !ended_;
  begin_ += length + (end == nullptr ? 0 : 1);
  line = std::string_view(begin, length);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

}  // namespace polyflake::cli
