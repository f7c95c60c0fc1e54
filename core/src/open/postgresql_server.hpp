// The address of a PostgreSQL: what libpq reads, and the hosts that are tried in turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

struct PostgreSqlServer {
  // "": what libpq takes for it by default.
  struct Place {
    std::string host, hostaddr, port;
  };

  std::string shown;  // for people: without credentials
  std::string address;
  std::vector<Place> places;  // at least one
};

// text: the address, as for PostgreSqlCarrier. Errors: worker_source_invalid, option_invalid,
// without credentials.
PostgreSqlServer postgresql_server_of(std::string_view text);

}  // namespace polyflake
