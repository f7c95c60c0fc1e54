#include "open/redis_server.hpp"

#include <polyflake/error.hpp>
#include <polyflake/store_url.hpp>

#include <cstdint>
#include <utility>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

[[noreturn]] void refuse(const std::string& shown, const char* why) {
  throw Error(ErrorCode::worker_source_invalid, shown + ": " + why);
}

int value_of_hex(char c) {
  if (ascii::is_digit(c)) return c - '0';
  if ('a' <= c && c <= 'f') return c - 'a' + 10;
  if ('A' <= c && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Returns the text with %40 as '@'.
std::string decoded(std::string_view text, const std::string& shown) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? value_of_hex(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? value_of_hex(text[i + 2]) : -1;
    if (high < 0 || low < 0) refuse(shown, "in a user or password two hex digits follow each '%'");
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

// login: "user:password", ":password" or "".
void add_login(std::string_view login, RedisServer& server) {
  const std::size_t colon = login.find(':');
  if (colon == std::string_view::npos || colon + 1 == login.size()) {
    refuse(server.shown, "a user needs a password: redis://user:password@host");
  }
  std::vector<std::string> words{"AUTH"};
  if (colon != 0) words.push_back(decoded(login.substr(0, colon), server.shown));
  words.push_back(decoded(login.substr(colon + 1), server.shown));
  server.greetings.push_back(std::move(words));
}

// place: "host", "host:port", "[::1]:port" or "".
void set_place(std::string_view place, RedisServer& server) {
  std::string_view port;
  const std::size_t bracket = place.empty() || place.front() != '[' ? std::string_view::npos : place.find(']');
  const std::size_t colon = place.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    port = place.substr(colon + 1);
    const auto number = ascii::decimal(port);
    if (!number || *number == 0 || *number > UINT16_MAX) refuse(server.shown, "a port is a number from 1 to 65535");
    server.port = port;
    place = place.substr(0, colon);
  }
  if (bracket != std::string_view::npos) {
    if (bracket + 1 != place.size()) refuse(server.shown, "a ']' ends the address of a host");
    place = place.substr(1, bracket - 1);
  }
  if (!place.empty()) server.host = place;
}

}  // namespace

RedisServer redis_server_of(std::string_view address) {
  constexpr std::string_view kScheme = "redis://";
  const lease::StoreUrl url = lease::parse_server_url(address);
  if (address.substr(0, kScheme.size()) != kScheme) {
    refuse(url.shown,
           "RedisCarrier connects to redis:// alone; for TLS and Sentinel derive a Carrier from your client");
  }
  if (address.find('?') != std::string_view::npos) refuse(url.shown, "RedisCarrier has no parameters");
  address.remove_prefix(kScheme.size());
  RedisServer server;
  server.shown = url.shown;
  const std::size_t at = address.rfind('@');
  if (at != std::string_view::npos) add_login(address.substr(0, at), server);
  const std::string_view rest = address.substr(at == std::string_view::npos ? 0 : at + 1);
  const std::size_t slash = rest.find('/');
  set_place(rest.substr(0, slash), server);
  const std::string_view database = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  if (!database.empty() && database != "0") server.greetings.push_back({"SELECT", std::string(database)});
  return server;
}

}  // namespace polyflake
