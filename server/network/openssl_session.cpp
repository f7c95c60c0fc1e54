#include "network/openssl_session.hpp"

#include <new>
#include <string_view>

#include <boost/asio/error.hpp>

#include <openssl/err.h>

namespace polyflake::server {

namespace {

constexpr int kReads = 64;  // two a record

}  // namespace

static_assert(TlsSession::kRecord >= SSL3_RT_MAX_PLAIN_LENGTH);

OpensslSession::OpensslSession(SSL_CTX* context, int socket) : ssl_(SSL_new(context)) {
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket) != 1) {
    ERR_clear_error();
    throw std::bad_alloc();
  }
  SSL_set_accept_state(ssl_.get());
  BIO* const way = SSL_get_rbio(ssl_.get());
  BIO_set_callback_arg(way, reinterpret_cast<char*>(&reads_left_));
  BIO_set_callback_ex(way, on_call);
}

// OpenSSL goes on reading while records without data come: new keys, wishes to negotiate again. A
// client that sends nothing else would keep the event loop. So after some it is told to wait.
long OpensslSession::on_call(BIO* socket, int operation, const char*, std::size_t, int, long, int result,
                             std::size_t*) {
  if (operation != BIO_CB_READ) return result;
  int& left = *reinterpret_cast<int*>(BIO_get_callback_arg(socket));
  if (left-- > 0) return result;
  BIO_set_retry_read(socket);
  return -1;
}

// An error that an earlier call left in the queue would be taken for one of this call.
void OpensslSession::begin_call() {
  ERR_clear_error();
  reads_left_ = kReads;
}

bool OpensslSession::established() const { return SSL_is_init_finished(ssl_.get()) == 1; }

bool OpensslSession::in_record() const {
  return SSL_has_pending(ssl_.get()) == 1 || SSL_rstate_string(ssl_.get()) != std::string_view("RH");
}

std::size_t OpensslSession::read(void* to, std::size_t size, boost::system::error_code& error) {
  std::size_t length = 0;
  begin_call();
  error = error_of(SSL_read_ex(ssl_.get(), to, size, &length));
  // The answer to the client's last word.
  if (error == boost::asio::error::eof) SSL_shutdown(ssl_.get());
  return length;
}

std::size_t OpensslSession::write(const void* from, std::size_t size, boost::system::error_code& error) {
  std::size_t written = 0;
  do {
    std::size_t length = 0;
    begin_call();
    error = error_of(SSL_write_ex(ssl_.get(), static_cast<const char*>(from) + written, size - written, &length));
    written += length;
  } while (!error && written != size);
  return written;
}

void OpensslSession::shut_down(boost::system::error_code& error) {
  begin_call();
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
