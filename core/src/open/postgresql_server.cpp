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

struct Lists {
  std::vector<std::string> hosts, addresses, ports;

  std::size_t count() const { return std::max({hosts.size(), addresses.size(), std::size_t{1}}); }
};

void refuse_other_lengths(const Lists& lists, const std::string& shown) {
  const auto fits = [&](const std::vector<std::string>& list) { return list.empty() || list.size() == lists.count(); };
  if (!fits(lists.hosts) || !fits(lists.addresses) || (!fits(lists.ports) && lists.ports.size() != 1)) {
    refuse_address(shown, "there are not as many hosts, addresses and ports");
  }
}

void refuse_what_is_no_place(const Lists& lists, const std::string& shown) {
  const auto is_empty = [](const std::string& host) { return host.empty(); };
  if (lists.count() > 1 && std::any_of(lists.hosts.begin(), lists.hosts.end(), is_empty)) {
    refuse_address(shown, "a host between commas is empty");
  }
  for (const std::string& port : lists.ports) {
    const auto number = ascii::decimal(port);
    if (!port.empty() && (!number || *number == 0 || *number > UINT16_MAX)) {
      refuse_address(shown, "a port is a number from 1 to 65535");
    }
  }
}

std::vector<PostgreSqlServer::Place> places_of(const Lists& lists) {
  const auto of = [](const std::vector<std::string>& list, std::size_t i) {
    return list.empty() ? "" : list[std::min(i, list.size() - 1)];
  };
  std::vector<PostgreSqlServer::Place> places;
  for (std::size_t i = 0; i < lists.count(); ++i) {
    places.push_back({of(lists.hosts, i), of(lists.addresses, i), of(lists.ports, i)});
    // libpq takes an empty text for none given, and would find the list of the address instead.
    if (lists.ports.size() > 1 && places.back().port.empty()) places.back().port = "5432";
  }
  return places;
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
  const Lists lists{list_in(settings.get(), "host"), list_in(settings.get(), "hostaddr"),
                    list_in(settings.get(), "port")};
  refuse_other_lengths(lists, server.shown);
  refuse_what_is_no_place(lists, server.shown);
  server.places = places_of(lists);
  return server;
}

}  // namespace polyflake
