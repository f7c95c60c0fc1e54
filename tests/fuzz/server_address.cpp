// Addresses of servers: each has hosts with ports, and neither it nor what is refused shows credentials.
#include "open/server_address.hpp"

#include <string>

#include "property.hpp"

namespace polyflake::fuzz {
namespace {

void run(std::string_view text) {
  ServerAddress address;
  const bool taken = accepts([&] { address = server_address_of(text, "2379", "A carrier"); },
                             {ErrorCode::worker_source_invalid, ErrorCode::option_invalid});
  if (!taken) return;
  hold(!address.places.empty(), "it has a server");
  for (const ServerPlace& place : address.places) {
    hold(!place.host.empty(), "each has a host");
    hold(std::stoul(place.port) > 0 && std::stoul(place.port) < 65536, "and a port");
  }
  hold(address.path.empty() || address.path.front() == '/', "a path has its first '/'");
  hold(!address.login || !address.login->password.empty(), "a login has a password");
  hold(address.shown.find('@') == std::string::npos, "credentials are not shown");
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
