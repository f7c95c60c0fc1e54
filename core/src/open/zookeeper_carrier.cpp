#include <polyflake/zookeeper_carrier.hpp>

#include <string>
#include <utility>

#include "open/exchange.hpp"
#include "open/server_address.hpp"
#include "open/turns.hpp"
#include "open/zookeeper_session.hpp"

namespace polyflake {
namespace {

using lease::CommandFailure;

ServerAddress zookeeper_address_of(std::string_view text) {
  ServerAddress address = server_address_of(text, "2181", "ZooKeeperCarrier");
  const auto refuse = [&](const char* why) { refuse_address(address.shown, why); };
  if (address.scheme != "zookeeper") refuse("ZooKeeperCarrier connects to zookeeper:// alone");
  if (address.login && address.login->user.empty()) refuse("a password needs a user: zookeeper://user:password@host");
  if (address.path == "/") address.path = "";
  return address;
}

}  // namespace

class ZooKeeperCarrier::Line {
 public:
  explicit Line(ServerAddress address) : address_(std::move(address)), turns_(address_.places.size()) {}

  // Errors: CommandFailure, ConnectionFailure.
  lease::Reply ask(const lease::Command& command, Connection::Deadline deadline) {
    if (!session_.is_usable()) open(deadline);
    return session_.ask(command, deadline);
  }

  // Closes the session, and raises the failure with the server named.
  [[noreturn]] void fail(const std::string& code, const char* reason) {
    const bool is_answer = !code.empty() && code.front() == '-';  // any server would say so
    if (session_.is_open() && !is_answer) turns_.pass_on();
    close();
    throw CommandFailure(code, address_.shown + ": " + reason);
  }

  void close() noexcept { session_.close(); }
  void forget() noexcept { session_.forget(); }

 private:
  void open(Connection::Deadline deadline) {
    turns_.connect(deadline, [this](std::size_t i, Connection::Deadline end) {
      session_.close();
      session_.open(address_.places[i], address_.path, address_.login, end);
    });
  }

  const ServerAddress address_;
  Turns turns_;
  ZooKeeperSession session_;
};

ZooKeeperCarrier::ZooKeeperCarrier(std::string_view address)
    : line_(std::make_unique<Line>(zookeeper_address_of(address))) {}

ZooKeeperCarrier::~ZooKeeperCarrier() = default;

lease::Reply ZooKeeperCarrier::carry(const lease::Command& command, std::int64_t timeout_ms) {
  return exchange(*line_, timeout_ms, [&](Connection::Deadline deadline) { return line_->ask(command, deadline); });
}

void ZooKeeperCarrier::drop() { line_->close(); }

void ZooKeeperCarrier::forked() { line_->forget(); }

}  // namespace polyflake
