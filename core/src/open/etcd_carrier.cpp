#include <polyflake/etcd_carrier.hpp>

#include <string>
#include <utility>

#include "open/etcd_texts.hpp"
#include "open/exchange.hpp"
#include "open/http_exchange.hpp"
#include "open/server_address.hpp"
#include "open/turns.hpp"

namespace polyflake {
namespace {

using lease::CommandFailure;

ServerAddress etcd_address_of(std::string_view text) {
  ServerAddress address = server_address_of(text, "2379", "EtcdCarrier");
  const auto refuse = [&](const char* why) { refuse_address(address.shown, why); };
  if (address.scheme != "etcd") {
    refuse("EtcdCarrier connects to etcd:// alone; for TLS derive a Carrier from your client");
  }
  if (!address.path.empty() && address.path != "/") refuse("no path follows the hosts of etcd");
  if (address.login && address.login->user.empty()) refuse("a password needs a user: etcd://user:password@host");
  return address;
}

}  // namespace

class EtcdCarrier::Line {
 public:
  explicit Line(ServerAddress address) : address_(std::move(address)), turns_(address_.places.size()) {}

  // Errors: CommandFailure, ConnectionFailure.
  lease::Reply ask(const lease::Command& command, Connection::Deadline deadline) {
    HttpRequest request{"/v3/kv/txn", "", etcd::transaction_of(command)};
    if (!connection_.is_quiet()) open(deadline);
    request.authorization = token_;
    const HttpAnswer answer = said(request, deadline);
    lease::Reply rows = etcd::rows_of(answer.body, answer.date_ms, command);
    if (answer.is_last) close();
    return rows;
  }

  // Closes the connection, and raises the failure with the server named.
  [[noreturn]] void fail(const std::string& code, const char* reason) {
    const bool is_refusal = !code.empty() && code.front() == '4';  // any member would say so
    if (connection_.is_open() && !is_refusal) turns_.pass_on();
    close();
    throw CommandFailure(code, address_.shown + ": " + reason);
  }

  void close() noexcept { connection_.close(); }
  void forget() noexcept { connection_.forget(); }

 private:
  void open(Connection::Deadline deadline) {
    turns_.connect(deadline, [this](std::size_t i, Connection::Deadline end) {
      present_ = i;
      connection_.close();
      connection_.forget();
      connection_.open(address_.places[i].host, address_.places[i].port, end);
      if (address_.login) log_in(*address_.login, end);
    });
  }

  void log_in(const Login& login, Connection::Deadline deadline) {
    token_ = etcd::token_in(said({"/v3/auth/authenticate", "", etcd::login_of(login)}, deadline).body);
  }

  // Its words may repeat the request, so only the status is told.
  HttpAnswer said(const HttpRequest& request, Connection::Deadline deadline) {
    constexpr unsigned kOk = 200;
    HttpAnswer answer = post(connection_, address_.places[present_], request, deadline);
    if (answer.status == kOk) return answer;
    const std::string status = std::to_string(answer.status);
    throw CommandFailure(status, "etcd answers with the status " + status + " of HTTP");
  }

  const ServerAddress address_;
  Turns turns_;
  std::size_t present_ = 0;  // the server of the connection
  Connection connection_;
  std::string token_;  // of the connection
};

EtcdCarrier::EtcdCarrier(std::string_view address) : line_(std::make_unique<Line>(etcd_address_of(address))) {}

EtcdCarrier::~EtcdCarrier() = default;

lease::Reply EtcdCarrier::carry(const lease::Command& command, std::int64_t timeout_ms) {
  return exchange(*line_, timeout_ms, [&](Connection::Deadline deadline) { return line_->ask(command, deadline); });
}

void EtcdCarrier::drop() { line_->close(); }

void EtcdCarrier::forked() { line_->forget(); }

}  // namespace polyflake
