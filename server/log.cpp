#include "log.hpp"

#include <cstdio>

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

}  // namespace

void log(std::string_view event, std::initializer_list<std::pair<std::string_view, std::string>> pairs) {
  std::string line;
  add("event", event, line);
  for (const auto& [key, value] : pairs) add(key, value, line);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);  // one write a line: lines of threads do not mix
}

}  // namespace polyflake::server
