#include "open/server_address.hpp"

#include <polyflake/error.hpp>
#include <polyflake/store_url.hpp>

#include <algorithm>
#include <cstdint>

#include "base/ascii.hpp"

namespace polyflake {
namespace {

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
    if (high < 0 || low < 0) refuse_address(shown, "in a user or password two hex digits follow each '%'");
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

// text: "user:password" or ":password".
Login login_of(std::string_view text, const ServerAddress& address) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) {
    refuse_address(address.shown, "a user needs a password: " + address.scheme + "://user:password@host");
  }
  return {decoded(text.substr(0, colon), address.shown), decoded(text.substr(colon + 1), address.shown)};
}

// text: "host", "host:port", "[::1]:port" or "".
ServerPlace place_of(std::string_view text, const char* port, const std::string& shown) {
  ServerPlace place{"localhost", port};
  const std::size_t bracket = text.empty() || text.front() != '[' ? std::string_view::npos : text.find(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    const std::string_view digits = text.substr(colon + 1);
    const auto number = ascii::decimal(digits);
    if (!number || *number == 0 || *number > UINT16_MAX) refuse_address(shown, "a port is a number from 1 to 65535");
    place.port = digits;
    text = text.substr(0, colon);
  }
  if (bracket != std::string_view::npos) {
    if (bracket + 1 != text.size()) refuse_address(shown, "a ']' ends the address of a host");
    text = text.substr(1, bracket - 1);
  }
  if (!text.empty()) place.host = text;
  return place;
}

}  // namespace

void refuse_address(const std::string& shown, const std::string& why) {
  throw Error(ErrorCode::worker_source_invalid, shown + ": " + why);
}

ServerAddress server_address_of(std::string_view text, const char* port, const std::string& carrier) {
  ServerAddress address;
  address.shown = lease::parse_server_url(text).shown;
  const std::size_t scheme = text.find("://");
  address.scheme = text.substr(0, scheme);
  text.remove_prefix(scheme + 3);
  if (text.find('?') != std::string_view::npos) refuse_address(address.shown, carrier + " has no parameters");
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    address.login = login_of(text.substr(0, at), address);
    text.remove_prefix(at + 1);
  }
  std::string_view hosts = text.substr(0, text.find('/'));
  address.path = text.substr(hosts.size());
  for (bool more = true; more;) {
    const std::size_t comma = hosts.find(',');
    more = comma != std::string_view::npos;
    address.places.push_back(place_of(hosts.substr(0, comma), port, address.shown));
    if (more) hosts.remove_prefix(comma + 1);
  }
  return address;
}

}  // namespace polyflake
