// The address of a Redis, in parts: host, port, and the first commands of each connection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "open/server_address.hpp"

namespace polyflake {

struct RedisServer {
  std::string shown;  // for people: without credentials
  ServerPlace place;
  std::vector<std::vector<std::string>> greetings;  // AUTH and SELECT, if they are needed
};

// text: the address, as for RedisCarrier. Errors: worker_source_invalid, without credentials.
RedisServer redis_server_of(std::string_view text);

}  // namespace polyflake
