// Addresses of a PostgreSQL: what is taken has a place, and neither it nor what is refused shows credentials.
#include "open/postgresql_server.hpp"

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(std::string_view text) {
  PostgreSqlServer server;
  const bool taken = accepts([&] { server = postgresql_server_of(text); },
                             {ErrorCode::worker_source_invalid, ErrorCode::option_invalid});
  if (!taken) return;
  hold(!server.places.empty(), "it has a place");
  for (const auto& place : server.places) {
    hold(place.port.empty() || (std::stoul(place.port) > 0 && std::stoul(place.port) < 65536), "and a port");
  }
  hold(server.shown.find('@') == std::string::npos, "credentials are not shown");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
