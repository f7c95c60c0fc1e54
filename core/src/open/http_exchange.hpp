// One request of HTTP and its answer, over a connection that is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "open/server_address.hpp"
#include "os/connection.hpp"

namespace polyflake {

struct HttpRequest {
  std::string path;
  std::string authorization;  // "": none
  std::string body;           // JSON
};

struct HttpAnswer {
  unsigned status = 0;
  std::optional<std::int64_t> date_ms;  // Unix ms of the server's second, if it tells
  std::string body;
  bool is_last = false;  // the connection is of no use for another request
};

// POSTs to the server at the other end. Blocks: until the deadline. Errors: ConnectionFailure;
// CommandFailure if the answer is none, or too long; then the caller must close the connection.
HttpAnswer post(Connection& connection, const ServerPlace& server, const HttpRequest& request,
                Connection::Deadline deadline);

// Returns the Unix ms of a date of HTTP: "Sun, 06 Nov 1994 08:49:37 GMT". Nothing for any other
// text.
std::optional<std::int64_t> http_date_ms(std::string_view text);

}  // namespace polyflake
