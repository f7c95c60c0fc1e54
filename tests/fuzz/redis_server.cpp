// Addresses of a Redis: what is taken has a host and a port, and neither it nor what is refused shows credentials.
#include "open/redis_server.hpp"

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(std::string_view text) {
  RedisServer server;
  const bool taken =
      accepts([&] { server = redis_server_of(text); }, {ErrorCode::worker_source_invalid, ErrorCode::option_invalid});
  if (!taken) return;
  hold(!server.place.host.empty(), "it has a host");
  const unsigned long port = std::stoul(server.place.port);
  hold(port > 0 && port < 65536, "and a port");
  hold(server.shown.find('@') == std::string::npos, "credentials are not shown");
  hold(server.greetings.size() <= 2, "there is one user and one database");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
