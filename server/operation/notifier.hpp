// Tells a service manager how the server is: the protocol of systemd's sd_notify(3), by hand since
// it is a datagram of a few words. Without NOTIFY_SOCKET in the environment it tells nothing.
#pragma once

#include <chrono>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

namespace polyflake::server {

// Thread safety: that of the event loop.
class Notifier {
 public:
  // Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment: they are meant for
  // this process alone. Says that the event loop is alive, twice in each period of the watchdog.
  // Errors: ConfigurationError for values that systemd does not write.
  explicit Notifier(boost::asio::io_context& loop);

  // Tells a status if it has changed, and the first time that the server is ready. The next call
  // sends what this one could not. Never blocks.
  void tell(const std::string& status, bool ready);
  void tell_stopping();

 private:
  void set_socket(std::string path);
  void tell_alive();
  bool send(const std::string& text);

  bool used_ = false;
  boost::asio::local::datagram_protocol::endpoint to_;
  boost::asio::local::datagram_protocol::socket socket_;
  boost::asio::steady_timer timer_;
  std::chrono::microseconds period_{0};
  std::string status_;  // as it was told
  bool ready_ = false;  // was told
};

}  // namespace polyflake::server
