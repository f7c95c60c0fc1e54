#include "network/transport.hpp"

namespace polyflake::server {

namespace asio = boost::asio;

Transport::Transport(Socket socket, std::unique_ptr<TlsSession> tls)
    : socket_(std::move(socket)), tls_(std::move(tls)) {}

bool Transport::would_block(const Error& error) {
  return error == asio::error::would_block || error == asio::error::try_again || error == asio::error::interrupted;
}

// After a failure the client may still send, which is read and means nothing.
std::size_t Transport::read_secured(asio::mutable_buffer to, Error& error) {
  if (explained_) return socket_.read_some(to, error);
  const std::size_t length = tls_->read(to.data(), to.size(), error);
  if (error == boost::system::errc::protocol_error) explained_ = true;
  if (handshake_ && tls_->established()) handshake_.reset();
  return length;
}

std::size_t Transport::write_secured(asio::const_buffer from, Error& error) {
  const std::size_t length = tls_->write(from.data(), from.size(), error);
  if (handshake_ && tls_->established()) handshake_.reset();
  return length;
}

Transport::Socket::wait_type Transport::waited_for(Socket::wait_type usually) const {
  switch (tls_->waits()) {
    case TlsSession::Wait::for_input: return Socket::wait_read;
    case TlsSession::Wait::for_room: return Socket::wait_write;
    case TlsSession::Wait::none: break;
  }
  return usually;
}

void Transport::shut_down(Error& error) {
  if (tls_ && !explained_) {
    tls_->shut_down(error);
    if (error) return;
  }
  socket_.shutdown(Socket::shutdown_send, error);
}

// The session goes first: the number of its socket may soon be another one's.
void Transport::close() noexcept {
  tls_.reset();
  handshake_.reset();
  Error ignored;
  socket_.close(ignored);
}

}  // namespace polyflake::server
