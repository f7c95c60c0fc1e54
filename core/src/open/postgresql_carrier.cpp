#include <polyflake/postgresql_carrier.hpp>

#include <string>
#include <utility>
#include <vector>

#include "open/exchange.hpp"
#include "open/postgresql_connection.hpp"
#include "open/postgresql_server.hpp"
#include "open/turns.hpp"

namespace polyflake {

using lease::CommandFailure;

class PostgreSqlCarrier::Line {
 public:
  explicit Line(PostgreSqlServer server) : server_(std::move(server)), turns_(server_.places.size()) {}

  // Errors: CommandFailure, ConnectionFailure.
  lease::Reply ask(const lease::Command& command, Connection::Deadline deadline) {
    const bool is_transaction = command.name == "transaction";
    if (!is_transaction && command.name != "statements") refuse();
    for (const auto& part : command.parts) {
      if (part.size() != 1) refuse();  // arguments are in the text of this dialect
    }
    if (!connection_.is_quiet()) open(deadline);
    lease::Reply rows;
    for (const auto& part : command.parts) {
      rows = connection_.ask(part.front(), deadline);
      if (is_transaction && connection_.was_warned()) throw CommandFailure("01000", "PostgreSQL warned");
    }
    return rows;
  }

  // Closes the connection, and raises the failure with the server named.
  [[noreturn]] void fail(const std::string& code, const char* reason) {
    if (connection_.is_open() && must_leave(code)) turns_.pass_on();
    close();
    throw CommandFailure(code, server_.shown + ": " + reason);
  }

  void close() noexcept { connection_.close(); }
  void forget() noexcept { connection_.forget(); }

 private:
  // Returns true if the server is gone, ends (57...) or is a standby, unless it just refused a
  // statement.
  static bool must_leave(const std::string& code) {
    const bool is_answer = code.size() == 5 && code.substr(0, 2) != "57" && code != "EPIPE";
    return !is_answer || code == "25006" || code == "55000";
  }

  [[noreturn]] static void refuse() { throw CommandFailure("", "this is no command for PostgreSQL"); }

  void open(Connection::Deadline deadline) {
    turns_.connect(deadline, [this](std::size_t i, Connection::Deadline end) {
      connection_.close();
      connection_.open(server_, server_.places[i], end);
    });
  }

  const PostgreSqlServer server_;
  Turns turns_;
  PostgreSqlConnection connection_;
};

PostgreSqlCarrier::PostgreSqlCarrier(std::string_view address)
    : line_(std::make_unique<Line>(postgresql_server_of(address))) {}

PostgreSqlCarrier::~PostgreSqlCarrier() = default;

lease::Reply PostgreSqlCarrier::carry(const lease::Command& command, std::int64_t timeout_ms) {
  return exchange(*line_, timeout_ms, [&](Connection::Deadline deadline) { return line_->ask(command, deadline); });
}

void PostgreSqlCarrier::drop() { line_->close(); }

void PostgreSqlCarrier::forked() { line_->forget(); }

}  // namespace polyflake
