#include "open/redis_server.hpp"

namespace polyflake {

RedisServer redis_server_of(std::string_view text) {
  const ServerAddress address = server_address_of(text, "6379", "RedisCarrier");
  const auto refuse = [&](const char* why) { refuse_address(address.shown, why); };
  if (address.scheme != "redis") {
    refuse("RedisCarrier connects to redis:// alone; for TLS and Sentinel derive a Carrier from your client");
  }
  if (address.places.size() > 1) refuse("RedisCarrier connects to one host");
  RedisServer server{address.shown, address.places.front(), {}};
  if (address.login) {
    server.greetings.push_back({"AUTH"});
    if (!address.login->user.empty()) server.greetings.back().push_back(address.login->user);
    server.greetings.back().push_back(address.login->password);
  }
  const std::string database = address.path.empty() ? "" : address.path.substr(1);
  if (!database.empty() && database != "0") server.greetings.push_back({"SELECT", database});
  return server;
}

}  // namespace polyflake
