#include <polyflake/error.hpp>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/message.hpp"

namespace polyflake {
namespace {

constexpr std::size_t kLongestWord = 24;
constexpr std::size_t kMostDigits = 20;
constexpr std::size_t kLeastKey = 20;  // characters of a path that may be a key

bool may_stand(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ascii::is_digit(c) || c == '_' || c == '.' || c == '-';
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= kMostDigits && std::all_of(text.begin(), text.end(), ascii::is_digit);
}

std::string not_shown(std::string_view text, const std::string& reason) {
  return "(" + std::to_string(characters(text)) + " characters, not shown" + reason + ")";
}

}  // namespace

const char* name(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::argument: return "argument";
    case ErrorKind::clock: return "clock";
    case ErrorKind::worker: return "worker";
    case ErrorKind::state: return "state";
    case ErrorKind::lease: return "lease";
  }
  return "";
}

Error::Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

Error::Error(ErrorCode code, const std::string& message, std::size_t position)
    : std::runtime_error(message), code_(code), position_(position) {}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::size_t word_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), may_stand) - text.begin());
}

std::string system_name(std::string_view name) {
  constexpr std::size_t kLongest = 80;
  const auto is_plain = [](char c) {
    return may_stand(c) || std::string_view(":/[]").find(c) != std::string_view::npos;
  };
  return name.size() <= kLongest && std::all_of(name.begin(), name.end(), is_plain) ? std::string(name) : quoted(name);
}

bool is_shown(std::string_view text) {
  const std::size_t end = word_length(text);
  if (end > kLongestWord) return false;
  return end == text.size() || (end > 0 && text[end] == ':' && is_number(text.substr(end + 1)));
}

std::string quoted(std::string_view untrusted) {
  if (is_shown(untrusted)) return "'" + std::string(untrusted) + "'";
  const std::size_t end = word_length(untrusted);
  return not_shown(untrusted, end > kLongestWord
                                  ? ": more than " + std::to_string(kLongestWord)
                                  : ": position " + std::to_string(end) + " is not one of A-Z a-z 0-9 _ . -");
}

std::string quoted_path(std::string_view path) {
  const std::size_t separator = path.find_last_of("/\\");
  const bool has_separator = separator != std::string_view::npos;
  const std::string_view last = has_separator ? path.substr(separator + 1) : path;
  const std::size_t longest = has_separator ? kLongestWord : kLeastKey - 1;
  if (path.empty()) return "''";
  if (last.empty() || last.size() > longest || word_length(last) < last.size())
    return not_shown(path, " as it may be a key");
  return (has_separator ? "'.../" : "'") + std::string(last) + "'";
}

}  // namespace polyflake
