#include "open/postgresql_server.hpp"

#include <polyflake/store_url.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

#include <libpq-fe.h>

#include "base/ascii.hpp"
#include "open/server_address.hpp"

namespace polyflake {
namespace {

using Settings = std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)>;

// Returns the texts between the commas; none of an empty text.
std::vector<std::string> list_in(const PQconninfoOption* settings, std::string_view name) {
  std::vector<std::string> list;
  for (; settings->keyword != nullptr; ++settings) {
    if (settings->keyword != name || settings->val == nullptr || *settings->val == '\0') continue;
    std::string_view left = settings->val;
    for (std::size_t comma; (comma = left.find(',')) != std::string_view::npos; left.remove_prefix(comma + 1)) {
      list.emplace_back(left.substr(0, comma));
    }
    list.emplace_back(left);
  }
  return list;
}

}  // namespace

PostgreSqlServer postgresql_server_of(std::string_view text) {
  PostgreSqlServer server{lease::parse_server_url(text).shown, std::string(text), {}};
  // Its complaint may contain a password.
  const Settings settings(PQconninfoParse(server.address.c_str(), nullptr), PQconninfoFree);
  if (settings == nullptr) {
    refuse_address(server.shown,
                   "libpq cannot read this address: are its parameters those of libpq, and are other characters than "
                   "letters and digits of a user and password written as %40?");
  }
  const auto hosts = list_in(settings.get(), "host"), addresses = list_in(settings.get(), "hostaddr"),
             ports = list_in(settings.get(), "port");
  const std::size_t count = std::max({hosts.size(), addresses.size(), std::size_t{1}});
  const auto fits = [&](const std::vector<std::string>& list) { return list.empty() || list.size() == count; };
  if (!fits(hosts) || !fits(addresses) || (!fits(ports) && ports.size() != 1)) {
    refuse_address(server.shown, "there are not as many hosts, addresses and ports");
  }
  if (count > 1 && std::any_of(hosts.begin(), hosts.end(), [](const std::string& host) { return host.empty(); })) {
    refuse_address(server.shown, "a host between commas is empty");
  }
  for (const std::string& port : ports) {
    const auto number = ascii::decimal(port);
    if (!port.empty() && (!number || *number == 0 || *number > UINT16_MAX)) {
      refuse_address(server.shown, "a port is a number from 1 to 65535");
    }
  }
  const auto of = [](const std::vector<std::string>& list, std::size_t i) {
    return list.empty() ? "" : list[std::min(i, list.size() - 1)];
  };
  for (std::size_t i = 0; i < count; ++i) server.places.push_back({of(hosts, i), of(addresses, i), of(ports, i)});
  // libpq takes an empty text for none given, and would find the list of the address instead.
  for (auto& place : server.places) {
    if (ports.size() > 1 && place.port.empty()) place.port = "5432";
  }
  return server;
}

}  // namespace polyflake
