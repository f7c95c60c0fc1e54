#include "openssl_session.hpp"

#include <new>

#include <boost/asio/error.hpp>

#include <openssl/err.h>

namespace polyflake::server {

static_assert(TlsSession::kRecord >= SSL3_RT_MAX_PLAIN_LENGTH);

OpensslSession::OpensslSession(SSL_CTX* context, int socket) : ssl_(SSL_new(context)) {
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket) != 1) {
    ERR_clear_error();
    throw std::bad_alloc();
  }
  SSL_set_accept_state(ssl_.get());
}

bool OpensslSession::established() const { return SSL_is_init_finished(ssl_.get()) == 1; }

// One record a call, so that a client cannot keep the loop.
std::size_t OpensslSession::read(void* to, std::size_t size, boost::system::error_code& error) {
  std::size_t length = 0;
  ERR_clear_error();  // what a call left there would be taken for an error of this one
  error = error_of(SSL_read_ex(ssl_.get(), to, size, &length));
  // The answer to the client's last word.
  if (error == boost::asio::error::eof) SSL_shutdown(ssl_.get());
  return length;
}

std::size_t OpensslSession::write(const void* from, std::size_t size, boost::system::error_code& error) {
  std::size_t written = 0;
  do {
    std::size_t length = 0;
    ERR_clear_error();
    error = error_of(SSL_write_ex(ssl_.get(), static_cast<const char*>(from) + written, size - written, &length));
    written += length;
  } while (!error && written != size);
  return written;
}

void OpensslSession::shut_down(boost::system::error_code& error) {
  ERR_clear_error();
  const int result = SSL_shutdown(ssl_.get());
  // 0: it was sent, and the client has not said the same yet.
  error = result == 0 ? boost::system::error_code() : error_of(result);
}

// Remembers what the call waits for.
boost::system::error_code OpensslSession::error_of(int result) {
  waits_ = Wait::none;
  if (result > 0) return {};
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ: waits_ = Wait::for_input; return boost::asio::error::would_block;
    case SSL_ERROR_WANT_WRITE: waits_ = Wait::for_room; return boost::asio::error::would_block;
    case SSL_ERROR_ZERO_RETURN: return boost::asio::error::eof;
    case SSL_ERROR_SSL: return boost::system::errc::make_error_code(boost::system::errc::protocol_error);
    default: return boost::asio::error::connection_reset;
  }
}

}  // namespace polyflake::server
