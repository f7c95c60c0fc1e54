// Values of RESP as bytes. Lines contain no line break: texts of clients come in as `bulk`.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polyflake::server::resp {

inline void line(char sign, std::string_view text, std::string& out) {
  out += sign;
  out += text;
  out += "\r\n";
}

inline void number(char sign, std::int64_t value, std::string& out) {
  char text[24];
  text[0] = sign;
  char* end = std::to_chars(text + 1, text + 22, value).ptr;
  *end++ = '\r';
  *end++ = '\n';
  out.append(text, static_cast<std::size_t>(end - text));
}

inline void integer(std::int64_t value, std::string& out) { number(':', value, out); }
inline void array(std::size_t count, std::string& out) { number('*', static_cast<std::int64_t>(count), out); }

inline void bulk(std::string_view text, std::string& out) {
  number('$', static_cast<std::int64_t>(text.size()), out);
  out += text;
  out += "\r\n";
}

// Returns the code of a reply that is a refusal; bad_request for errors of Redis, which have none;
// "" for any other reply.
inline std::string_view code_of(std::string_view reply) {
  constexpr std::string_view kOurs = "-POLYFLAKE ";
  constexpr std::pair<std::string_view, std::string_view> kOfRedis[] = {
      {"-NOAUTH ", "token_missing"}, {"-WRONGPASS ", "token_wrong"}, {"-NOPERM ", "forbidden"}};
  if (reply.empty() || reply.front() != '-') return "";
  if (reply.substr(0, kOurs.size()) == kOurs) {
    reply.remove_prefix(kOurs.size());
    return reply.substr(0, reply.find(' '));
  }
  for (const auto& [word, code] : kOfRedis) {
    if (reply.substr(0, word.size()) == word) return code;
  }
  return "bad_request";
}

}  // namespace polyflake::server::resp
