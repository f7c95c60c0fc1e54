#include <polyflake/redis_carrier.hpp>

#include <string>
#include <utility>
#include <vector>

#include "open/exchange.hpp"
#include "open/redis_server.hpp"
#include "open/resp.hpp"
#include "os/connection.hpp"

namespace polyflake {

using lease::CommandFailure;

class RedisCarrier::Line {
 public:
  explicit Line(RedisServer server) : server_(std::move(server)) {}

  // Returns the reply to a command. stays: only on the connection of the command before. Errors:
  // CommandFailure, ConnectionFailure.
  lease::Row ask(const std::vector<std::string>& words, bool stays, Connection::Deadline deadline) {
    // Unrequested bytes, or the end of the connection, are seen before anything is sent.
    if (!connection_.is_quiet()) {
      connection_.close();
      if (stays) throw CommandFailure("", "the connection ended between two commands of one exchange");
      open(deadline);
    }
    return said(words, deadline);
  }

  // Closes the connection, and raises the failure with the server named.
  [[noreturn]] void fail(const std::string& code, const char* reason) {
    close();
    throw CommandFailure(code, server_.shown + ": " + reason);
  }

  void close() noexcept { connection_.close(); }
  void forget() noexcept { connection_.forget(); }

 private:
  void open(Connection::Deadline deadline) {
    connection_.forget();
    connection_.open(server_.place.host, server_.place.port, deadline);
    for (const auto& words : server_.greetings) {
      try {
        said(words, deadline);
      } catch (const CommandFailure& failure) {  // its words may repeat a password
        throw CommandFailure(failure.code(), "Redis refused " + words.front() + ": " + failure.code());
      }
    }
  }

  lease::Row said(const std::vector<std::string>& words, Connection::Deadline deadline) {
    connection_.send(resp::command(words), deadline);
    resp::Reply reply;
    std::vector<char> bytes(std::size_t{16} << 10);
    while (!reply.take({bytes.data(), connection_.receive(bytes.data(), bytes.size(), deadline)})) {
    }
    return reply.values();
  }

  const RedisServer server_;
  Connection connection_;
};

RedisCarrier::RedisCarrier(std::string_view address) : line_(std::make_unique<Line>(redis_server_of(address))) {}

RedisCarrier::~RedisCarrier() = default;

lease::Reply RedisCarrier::carry(const lease::Command& command, std::int64_t timeout_ms) {
  if (command.name != "command" || command.parts.size() != 2 || command.parts[1].size() != 2) {
    throw CommandFailure("", "this is no command for Redis");
  }
  return exchange(*line_, timeout_ms, [&](Connection::Deadline deadline) {
    return lease::Reply{line_->ask(command.parts[0], command.parts[1][1] == "same", deadline)};
  });
}

void RedisCarrier::drop() { line_->close(); }

void RedisCarrier::forked() { line_->forget(); }

}  // namespace polyflake
