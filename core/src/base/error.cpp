#include <polyflake/error.hpp>

namespace polyflake {

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

std::string quoted(std::string_view untrusted) {
  constexpr std::size_t kLongest = 32;
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "'";
  for (const char c : untrusted.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e || c == '\'' || c == '\\') {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '\'';
  if (untrusted.size() > kLongest) out += "...";
  return out;
}

}  // namespace polyflake
