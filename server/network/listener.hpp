// A listener: takes clients in, on TCP or a Unix socket, that all speak one protocol.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "configuration/configuration.hpp"
#include "network/connections.hpp"

namespace polyflake::server {

// Thread safety: that of the event loop.
class Listener {
 public:
  using MakeProtocol = std::function<std::unique_ptr<Protocol>()>;

  // Listens from now on. A socket file of a server that is gone is replaced. Blocks: at most 5 s,
  // for the lock of the folder of that file.
  // Errors: boost::system::system_error, ConfigurationError.
  Listener(const ListenerConfiguration& configuration, MakeProtocol make_protocol, Connections& connections);
  // Takes clients in at a socket that listens already, and closes it at the end. Its file stays.
  // tls: null: none.
  Listener(int descriptor, std::shared_ptr<const Tls> tls, MakeProtocol make_protocol, Connections& connections);
  ~Listener();

  // Takes no more clients in; those whom the system has accepted already are served.
  void close() noexcept;
  const std::string& address() const { return address_; }

 private:
  Listener(std::shared_ptr<const Tls> tls, MakeProtocol make_protocol, Connections& connections);
  void begin();
  void accept();
  bool accept_those_waiting();

  const MakeProtocol make_protocol_;
  Connections& connections_;
  const std::shared_ptr<const Tls> tls_;
  std::string path_;  // of the file of a Unix socket that it made
  bool is_tcp_ = false;
  std::string address_;
  boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol> acceptor_;
  boost::asio::steady_timer timer_;
};

}  // namespace polyflake::server
