#include "open/resp.hpp"

#include <optional>

#include "base/ascii.hpp"
#include "open/server_words.hpp"

namespace polyflake::resp {
namespace {

constexpr std::size_t kLongestReply = std::size_t{64} << 20;
constexpr std::size_t kLongestLine = std::size_t{64} << 10;
constexpr std::string_view kEnd = "\r\n";
constexpr std::string_view kNull = "-1";

[[noreturn]] void misunderstood(const char* what) {
  throw lease::CommandFailure("", std::string("this is no reply of Redis: ") + what);
}

std::size_t length_in(std::string_view text) {
  const auto length = ascii::decimal(text);
  if (!length || *length > kLongestReply) misunderstood("a length is none, or too large");
  return static_cast<std::size_t>(*length);
}

bool is_integer(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return ascii::is_canonical_decimal(text);
}

[[noreturn]] void raise(std::string_view error) {
  const std::string shown = server_words(error);
  throw lease::CommandFailure(shown.substr(0, shown.find(' ')), "Redis says: " + shown);
}

}  // namespace

std::string command(const std::vector<std::string>& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    bytes.append("$").append(std::to_string(word.size())).append(kEnd).append(word).append(kEnd);
  }
  return bytes;
}

bool Reply::take(std::string_view bytes) {
  bytes_ += bytes;
  while (missing_ > 0) {
    if (!take_value()) {
      if (bytes_.size() > kLongestReply) misunderstood("it does not end");
      return false;
    }
  }
  if (at_ != bytes_.size()) misunderstood("more came than one reply");
  return true;
}

// Returns false if the value has not come as a whole.
bool Reply::take_value() {
  const std::size_t end = bytes_.find(kEnd, at_);
  if (end == std::string::npos) {
    if (bytes_.size() - at_ > kLongestLine) misunderstood("a line does not end");
    return false;
  }
  if (end == at_) misunderstood("a line is empty");
  const std::string_view line = std::string_view(bytes_).substr(at_ + 1, end - at_ - 1);
  switch (bytes_[at_]) {
    case '-': raise(line);
    case '$':
      if (line != kNull) return take_text(end + kEnd.size(), line);
      values_.emplace_back();
      break;
    case ':':
      if (!is_integer(line)) misunderstood("a number is none");
      [[fallthrough]];
    case '+': values_.emplace_back(line); break;
    case '*': begin_list(line); break;
    default: misunderstood("a value is of an unknown type");
  }
  at_ = end + kEnd.size();
  --missing_;
  return true;
}

bool Reply::take_text(std::size_t from, std::string_view length) {
  const std::size_t size = length_in(length);
  if (bytes_.size() - from < size + kEnd.size()) return false;
  if (bytes_.compare(from + size, kEnd.size(), kEnd) != 0) misunderstood("a text has another length");
  values_.emplace_back(bytes_.substr(from, size));
  at_ = from + size + kEnd.size();
  --missing_;
  return true;
}

// The list itself counts as one value until its end is subtracted by the caller.
void Reply::begin_list(std::string_view length) {
  if (is_list_ || !values_.empty()) misunderstood("a list is within a list");
  is_list_ = true;
  if (length == kNull) values_.emplace_back();
  else missing_ += length_in(length);
}

}  // namespace polyflake::resp
