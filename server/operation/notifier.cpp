#include "operation/notifier.hpp"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include "configuration/configuration.hpp"
#include "log.hpp"
#include "operation/service_manager.hpp"

namespace polyflake::server {
Notifier::Notifier(boost::asio::io_context& loop) : socket_(loop), timer_(loop) {
  const auto path = take_variable("NOTIFY_SOCKET");
  const auto microseconds = take_variable("WATCHDOG_USEC");
  const auto process = take_variable("WATCHDOG_PID");
  if (!path || path->empty()) return;
  set_socket(*path);
  const bool is_for_others = process && number_of_variable("WATCHDOG_PID", *process) != ::getpid();
  if (!microseconds || is_for_others) return;
  constexpr std::chrono::microseconds kShortest(1000);  // less would keep the loop busy
  period_ = std::max(std::chrono::microseconds(number_of_variable("WATCHDOG_USEC", *microseconds)) / 2, kShortest);
  tell_alive();
}

void Notifier::set_socket(std::string path) {
  constexpr std::size_t kLongest = sizeof(sockaddr_un::sun_path) - 1;
  if ((path.front() != '/' && path.front() != '@') || path.size() < 2 || path.size() > kLongest) {
    throw ConfigurationError(
        "the variable NOTIFY_SOCKET is neither the path of a socket nor @ and a name, of 2 to 107 bytes. Unset it if "
        "no service manager started this process");
  }
  if (path.front() == '@') path.front() = 0;  // a name without a file
  to_.path(path);
  socket_.open();
  socket_.non_blocking(true);
  used_ = true;
}

void Notifier::tell_alive() {
  send("WATCHDOG=1");
  timer_.expires_after(period_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tell_alive();
  });
}

void Notifier::tell(const std::string& status, bool ready) {
  if (!used_ || (status == status_ && (ready_ || !ready))) return;
  const bool now_ready = ready && !ready_;
  if (!send((now_ready ? "READY=1\nSTATUS=" : "STATUS=") + status)) return;
  status_ = status;
  ready_ = ready_ || now_ready;
}

void Notifier::tell_stopping() { send("STOPPING=1"); }

bool Notifier::send(const std::string& text) {
  if (!used_) return false;
  boost::system::error_code error;
  socket_.send_to(boost::asio::buffer(text), to_, 0, error);
  namespace errors = boost::asio::error;
  const bool passes = error == errors::would_block || error == errors::no_buffer_space || error == errors::no_memory;
  if (error && !passes) {
    log("notify", {{"reason", error.message()}});
    used_ = false;  // the service manager is gone
  }
  return !error;
}

}  // namespace polyflake::server
