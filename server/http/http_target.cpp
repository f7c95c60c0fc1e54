#include "http/http_target.hpp"

#include <algorithm>

#include <polyflake/error.hpp>

#include <boost/beast/core/string.hpp>

#include "http/http_refusal.hpp"

namespace polyflake::server {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_unescaped(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
    if (high < 0 || low < 0)
      throw HttpRefusal(400, "bad_request",
                        "The path or query has a % that two hexadecimal digits do not follow. Write %25 for a %.");
    out += static_cast<char>(16 * high + low);
    at += 2;
  }
}

std::string form_value(std::string_view text) {
  std::string blanks(text);
  std::replace(blanks.begin(), blanks.end(), '+', ' ');
  std::string value;
  append_unescaped(blanks, value);
  return value;
}

[[noreturn]] void refuse_parameter(std::string_view name, const HttpParameters& names) {
  std::string known;
  for (const std::string_view each : names) {
    if (!each.empty()) known += (known.empty() ? "" : ", ") + std::string(each);
  }
  throw HttpRefusal(400, "option_invalid",
                    "The parameter " + polyflake::quoted(name) + " is unknown. This path takes " +
                        (known.empty() ? "none: leave it out." : known + ", each once."));
}

}  // namespace

HttpTarget split_target(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    const std::string_view begin = target.substr(0, scheme.size());
    if (!boost::beast::iequals({begin.data(), begin.size()}, {scheme.data(), scheme.size()})) continue;
    target.remove_prefix(std::min(target.find_first_of("/?", scheme.size()), target.size()));
    break;
  }
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

std::string_view unescaped(std::string_view text, std::string& buffer) {
  if (text.find('%') == std::string_view::npos) return text;
  buffer.clear();
  append_unescaped(text, buffer);
  return buffer;
}

HttpValues read_query(std::string_view query, const HttpParameters& names, bool others_allowed) {
  HttpValues values;
  for (std::size_t at = query.empty() ? std::string_view::npos : 0; at != std::string_view::npos;) {
    const std::size_t end = query.find('&', at);
    const std::string_view parameter = query.substr(at, end - at);
    at = end == std::string_view::npos ? end : end + 1;
    const std::size_t mark = std::min(parameter.find('='), parameter.size());
    const std::string name = form_value(parameter.substr(0, mark));
    const auto* const known = std::find(names.begin(), names.end(), name);
    if (name.empty() || known == names.end()) {
      if (others_allowed) continue;
      refuse_parameter(name, names);
    }
    auto& value = values[static_cast<std::size_t>(known - names.begin())];
    if (value)
      throw HttpRefusal(400, "option_invalid",
                        "The parameter " + polyflake::quoted(name) + " comes twice. Give it once.");
    value = form_value(parameter.substr(std::min(mark + 1, parameter.size())));
  }
  return values;
}

}  // namespace polyflake::server
