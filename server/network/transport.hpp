// The way to a client: a socket, as it is or under TLS.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "network/tls.hpp"

namespace polyflake::server {

// Thread safety: that of the event loop. No call blocks.
class Transport {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Error = boost::system::error_code;

  // Requires: the socket does not block. tls: null for a plain one.
  explicit Transport(Socket socket, std::unique_ptr<TlsSession> tls = nullptr);

  // Both do what can be done at once, else the error is one of would_block(). Requires under TLS:
  // room for a TlsSession::kRecord; bytes that were not written begin the next write.
  std::size_t read_some(boost::asio::mutable_buffer to, Error& error) {
    return tls_ ? read_secured(to, error) : socket_.read_some(to, error);
  }
  std::size_t write_some(boost::asio::const_buffer from, Error& error) {
    return tls_ ? write_secured(from, error) : socket_.write_some(from, error);
  }
  static bool would_block(const Error& error);
  // Returns true if TLS failed, and the client was told why: it should have the time to read that.
  bool has_explained() const { return explained_; }

  // Returns true until hands were shaken, if limit_handshake() was called.
  bool in_handshake() const { return handshake_ != nullptr; }

  // Returns true if the rest of what the client began under TLS is missing.
  bool in_record() const { return tls_ && tls_->in_record(); }

  // Call the handler once it is worth trying again. Errors, to the handler: it was closed.
  template <class Handler>
  void wait_to_read(Handler handler) {
    socket_.async_wait(tls_ ? waited_for(Socket::wait_read) : Socket::wait_read, std::move(handler));
  }
  template <class Handler>
  void wait_to_write(Handler handler) {
    socket_.async_wait(tls_ ? waited_for(Socket::wait_write) : Socket::wait_write, std::move(handler));
  }

  // Calls the handler if the client has not shaken hands in time. Without TLS it never does.
  // under_way: must outlive it, and counts it until hands were shaken.
  template <class Handler>
  void limit_handshake(std::size_t& under_way, Handler handler) {
    if (!tls_) return;
    handshake_ = std::make_unique<Handshake>(socket_, under_way);
    handshake_->timer.async_wait([handler = std::move(handler)](const Error& error) {
      if (!error) handler();
    });
  }

  // Says that nothing follows; the client may still send. Errors: would_block(), and others.
  void shut_down(Error& error);
  // Ends it without a word.
  void close() noexcept;
  bool is_open() const { return socket_.is_open(); }

 private:
  struct Handshake {
    Handshake(Socket& socket, std::size_t& all)
        : timer(socket.get_executor(), std::chrono::seconds(5)), under_way(all) {
      ++under_way;
    }
    ~Handshake() { --under_way; }
    Handshake(const Handshake&) = delete;
    Handshake& operator=(const Handshake&) = delete;

    boost::asio::steady_timer timer;
    std::size_t& under_way;
  };

  std::size_t read_secured(boost::asio::mutable_buffer to, Error& error);
  std::size_t write_secured(boost::asio::const_buffer from, Error& error);
  Socket::wait_type waited_for(Socket::wait_type usually) const;

  Socket socket_;
  std::unique_ptr<TlsSession> tls_;       // null: plain, or closed
  std::unique_ptr<Handshake> handshake_;  // until it is done
  bool explained_ = false;
};

}  // namespace polyflake::server
