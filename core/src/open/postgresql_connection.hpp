// A connection of libpq with a deadline for each call.
#pragma once

#include <polyflake/command.hpp>

#include <string>

#include <libpq-fe.h>

#include "open/postgresql_server.hpp"
#include "os/client_handle.hpp"
#include "os/connection.hpp"

namespace polyflake {

// Errors of all calls: CommandFailure with an SQLSTATE or the name of a system error,
// ConnectionFailure; then the caller must close it. Thread safety: one call at a time.
class PostgreSqlConnection {
 public:
  using Deadline = Connection::Deadline;

  PostgreSqlConnection() : handle_(PQfinish, PQsocket) {}

  // Returns true if it is open in this process, the server did not end it, and nothing came that
  // was not asked for.
  bool is_quiet() const;

  bool is_open() const noexcept { return handle_.is_open(); }

  // Requires: it is closed. Blocks: until the deadline; longer only if the system looks up the name
  // of a host for longer.
  void open(const PostgreSqlServer& server, const PostgreSqlServer::Place& place, Deadline deadline);

  // Returns the rows of the last statement that has some. Several statements in one text are one
  // transaction. Blocks: until the deadline.
  lease::Reply ask(const std::string& sql, Deadline deadline);

  // Returns true if the server warned since the last call of ask() began.
  bool was_warned() const noexcept { return warned_; }

  // Ends it without a word to the server, which may hang.
  void close() noexcept { handle_.close(); }
  void forget() noexcept { handle_.forget(); }

 private:
  static void heed(void* connection, const PGresult*) {
    static_cast<PostgreSqlConnection*>(connection)->warned_ = true;
  }
  void finish_sending(Deadline deadline);
  lease::Reply replies(Deadline deadline);

  ClientHandle<PGconn> handle_;
  bool warned_ = false;
};

}  // namespace polyflake
