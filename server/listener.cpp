#include "listener.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <sys/stat.h>
#include <unistd.h>

namespace polyflake::server {
namespace {

namespace asio = boost::asio;
using asio::generic::stream_protocol;

stream_protocol::endpoint endpoint_of(const ListenerConfiguration& configuration) {
  if (!configuration.path.empty()) return asio::local::stream_protocol::endpoint(configuration.path);
  return asio::ip::tcp::endpoint(asio::ip::make_address(configuration.host), configuration.port);
}

// A server that was killed leaves its socket file behind.
void remove_dead_socket(asio::io_context& loop, const std::string& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  asio::local::stream_protocol::socket probe(loop);
  boost::system::error_code error;
  probe.connect(asio::local::stream_protocol::endpoint(path), error);
  if (error == asio::error::connection_refused) ::unlink(path.c_str());
}

std::string text_of(const stream_protocol::endpoint& endpoint, const std::string& path) {
  if (!path.empty()) return "unix:" + path;
  asio::ip::tcp::endpoint tcp;
  std::memcpy(tcp.data(), endpoint.data(), std::min<std::size_t>(endpoint.size(), tcp.capacity()));
  tcp.resize(endpoint.size());
  const std::string host = tcp.address().to_string();
  return (tcp.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(tcp.port());
}

}  // namespace

Listener::Listener(const ListenerConfiguration& configuration, MakeProtocol make_protocol, Connections& connections)
    : make_protocol_(std::move(make_protocol)),
      connections_(connections),
      tls_(configuration.tls),
      path_(configuration.path),
      acceptor_(connections.loop()),
      timer_(connections.loop()) {
  const stream_protocol::endpoint endpoint = endpoint_of(configuration);
  if (!path_.empty()) remove_dead_socket(connections.loop(), path_);
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(asio::socket_base::reuse_address(true));
  acceptor_.bind(endpoint);
  // Clients cannot connect before it listens.
  if (!path_.empty() && ::chmod(path_.c_str(), 0660) != 0) {
    throw boost::system::system_error(errno, boost::system::system_category());
  }
  acceptor_.listen(asio::socket_base::max_listen_connections);
  acceptor_.non_blocking(true);
  address_ = text_of(acceptor_.local_endpoint(), path_);
  accept();
}

Listener::~Listener() { close(); }

void Listener::close() noexcept {
  if (!acceptor_.is_open()) return;
  accept_those_waiting();
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  timer_.cancel();
  if (!path_.empty()) ::unlink(path_.c_str());
}

void Listener::accept() {
  acceptor_.async_wait(asio::socket_base::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    if (accept_those_waiting()) return accept();
    // Too many files are open, say: the clients wait, and no time is spent on them.
    timer_.expires_after(std::chrono::milliseconds(100));
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) accept();
    });
  });
}

// Returns false if the system refuses to give one.
bool Listener::accept_those_waiting() {
  boost::system::error_code error;
  for (;;) {
    Transport::Socket socket(connections_.loop());
    acceptor_.accept(socket, error);
    if (error) break;
    try {
      socket.non_blocking(true);
      if (path_.empty()) {
        socket.set_option(asio::ip::tcp::no_delay(true));
        socket.set_option(asio::socket_base::keep_alive(true));
      }
      auto tls = tls_ ? tls_->begin(socket.native_handle()) : nullptr;
      connections_.add(Transport(std::move(socket), std::move(tls)), make_protocol_());
    } catch (const std::exception&) {
      // The client has left, or memory is short: others are taken in.
    }
  }
  return error == asio::error::would_block || error == asio::error::try_again ||
         error == asio::error::connection_aborted || error == asio::error::interrupted;
}

}  // namespace polyflake::server
