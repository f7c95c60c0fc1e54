// The parts of an address of servers: scheme://user:password@host:port,host:port/path
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// The place of one server.
struct ServerPlace {
  std::string host, port;
};

struct Login {
  std::string user, password;  // %40 is decoded
};

struct ServerAddress {
  std::string shown;  // for people: without credentials
  std::string scheme;
  std::optional<Login> login;
  std::vector<ServerPlace> places;  // at least one
  std::string path;                 // "" or with its first '/'
};

// Returns the parts. port: that of a server without one. Without a host it is localhost. carrier:
// who reads it, for messages.
// Errors: those of lease::parse_server_url(); worker_source_invalid, without credentials, also for
// parameters.
ServerAddress server_address_of(std::string_view text, const char* port, const std::string& carrier);

// Raises worker_source_invalid.
[[noreturn]] void refuse_address(const std::string& shown, const std::string& why);

}  // namespace polyflake
