#include "open/postgresql_connection.hpp"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "open/server_words.hpp"

namespace polyflake {
namespace {

using lease::CommandFailure;
using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

// Complaints of libpq itself, which have no SQLSTATE.
constexpr struct {
  std::string_view phrase;
  const char* code;
  const char* reason;
} kComplaints[] = {
    {"could not translate host name", "ENOTFOUND", "cannot find the host"},
    {"could not parse network address", "ENOTFOUND", "hostaddr is no address"},
    {"no password supplied", "28P01", "the server asks for a password"},
    {"server closed the connection", "ECONNRESET", "the server ended the connection"},
    {"could not receive data from server", "ECONNRESET", "the connection broke"},
    {"could not send", "ECONNRESET", "the connection broke"},
    {"SSL", "TLS", "TLS failed"},
    {"certificate", "TLS", "TLS failed"},
    {"root CA", "TLS", "TLS failed"},
    {"session is", "25006", "the server is not of the kind that target_session_attrs asks for"},
    {"server is", "25006", "the server is not of the kind that target_session_attrs asks for"},
};

int as_system_error(std::string_view complaint) {
  for (const int error : {ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT, ECONNRESET, EPIPE}) {
    if (complaint.find(std::strerror(error)) != std::string_view::npos) return error;
  }
  return 0;
}

bool is_sqlstate(std::string_view text) {
  constexpr std::string_view kLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return text.size() == 5 && text.find_first_not_of(kLetters) == std::string_view::npos;
}

// libpq was told to say an SQLSTATE instead of the server's words: "... failed: FATAL:  28P01".
std::string sqlstate_in(std::string_view complaint) {
  constexpr std::string_view kBefore = ":  ";
  const std::size_t before = complaint.rfind(kBefore);
  if (before == std::string_view::npos) return "";
  const std::string_view code = complaint.substr(before + kBefore.size(), 5);
  return is_sqlstate(code) ? std::string(code) : "";
}

// Its words, which name hosts and users and may be those of another language, are not shown.
CommandFailure failure_of(std::string_view complaint) {
  if (const std::string code = sqlstate_in(complaint); !code.empty()) {
    return {code, "PostgreSQL refused the connection: " + code};
  }
  if (const int error = as_system_error(complaint); error != 0) {
    return {connection_error_name(error), std::string("the connection failed: ") + std::strerror(error)};
  }
  for (const auto& one : kComplaints) {
    if (complaint.find(one.phrase) != std::string_view::npos) return {one.code, one.reason};
  }
  return {"", "libpq has no connection"};
}

[[noreturn]] void fail(PGconn* connection) { throw failure_of(PQerrorMessage(connection)); }

CommandFailure failure_of(const PGresult* result, PGconn* connection) {
  const char* const code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (code == nullptr || words == nullptr) return failure_of(PQerrorMessage(connection));  // of libpq
  return {code, "PostgreSQL says: " + server_words(words)};
}

lease::Reply rows_of(const PGresult* result) {
  lease::Reply rows(static_cast<std::size_t>(PQntuples(result)));
  const int columns = PQnfields(result);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int row = static_cast<int>(i);
    for (int column = 0; column < columns; ++column) {
      if (PQgetisnull(result, row, column) != 0) rows[i].emplace_back();
      else
        rows[i].emplace_back(
            std::string(PQgetvalue(result, row, column), static_cast<std::size_t>(PQgetlength(result, row, column))));
    }
  }
  return rows;
}

constexpr Readiness kToRead{true, false}, kToWrite{false, true}, kToBoth{true, true};

Readiness wait_for(PGconn* connection, Readiness wanted, Connection::Deadline deadline) {
  const Readiness ready = await_socket(PQsocket(connection), wanted, deadline);
  if (!ready.to_read && !ready.to_write) throw CommandFailure("ETIMEDOUT", "the time for the command is over");
  return ready;
}

}  // namespace

bool PostgreSqlConnection::is_quiet() const { return handle_.is_open() && is_quiet_socket(PQsocket(handle_.get())); }

void PostgreSqlConnection::open(const PostgreSqlServer& server, const PostgreSqlServer::Place& place,
                                Deadline deadline) {
  const std::pair<const char*, const std::string&> settings[] = {
      {"dbname", server.address}, {"host", place.host}, {"hostaddr", place.hostaddr}, {"port", place.port}};
  const char* names[std::size(settings) + 2] = {"fallback_application_name"};
  const char* values[std::size(names)] = {"polyflake"};
  for (std::size_t i = 0; i < std::size(settings); ++i) {
    names[i + 1] = settings[i].first;
    values[i + 1] = settings[i].second.c_str();
  }
  constexpr int kExpandsDbname = 1;
  handle_.begin([&] { return PQconnectStartParams(names, values, kExpandsDbname); });
  PGconn* const connection = handle_.get();
  PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE);
  PQsetNoticeReceiver(connection, heed, this);
  if (PQstatus(connection) == CONNECTION_BAD) fail(connection);
  for (auto state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK; state = PQconnectPoll(handle_.get())) {
    if (state == PGRES_POLLING_FAILED) fail(connection);
    wait_for(connection, state == PGRES_POLLING_READING ? kToRead : kToWrite, deadline);
  }
  handle_.hold(PQsocket(connection));
  constexpr int kNonBlocking = 1;
  if (PQsetnonblocking(connection, kNonBlocking) != 0) fail(connection);
}

lease::Reply PostgreSqlConnection::ask(const std::string& sql, Deadline deadline) {
  warned_ = false;
  if (PQsendQuery(handle_.get(), sql.c_str()) == 0) fail(handle_.get());
  finish_sending(deadline);
  return replies(deadline);
}

// Reads meanwhile: the server may wait until its notices are taken.
void PostgreSqlConnection::finish_sending(Deadline deadline) {
  for (int left; (left = PQflush(handle_.get())) != 0;) {
    if (left < 0) fail(handle_.get());
    const bool readable = wait_for(handle_.get(), kToBoth, deadline).to_read;
    if (readable && PQconsumeInput(handle_.get()) == 0) fail(handle_.get());
  }
}

lease::Reply PostgreSqlConnection::replies(Deadline deadline) {
  lease::Reply rows;
  std::optional<CommandFailure> failure;
  for (;;) {
    while (PQisBusy(handle_.get()) != 0) {
      wait_for(handle_.get(), kToRead, deadline);
      if (PQconsumeInput(handle_.get()) == 0) fail(handle_.get());
    }
    const Result result(PQgetResult(handle_.get()), PQclear);
    if (result == nullptr) break;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_TUPLES_OK) rows = rows_of(result.get());
    else if (status == PGRES_FATAL_ERROR) {
      if (!failure) failure = failure_of(result.get(), handle_.get());  // the end of the connection may follow
    } else if (status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY) {
      throw CommandFailure("", "PostgreSQL answers as no server of leases does");
    }
  }
  if (failure) throw CommandFailure(failure->code(), failure->what());
  return rows;
}

}  // namespace polyflake
