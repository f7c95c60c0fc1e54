// TLS of one connection, by OpenSSL.
#pragma once

#include <memory>

#include <openssl/ssl.h>

#include "network/tls.hpp"

namespace polyflake::server {

class OpensslSession final : public TlsSession {
 public:
  // Errors: std::bad_alloc.
  OpensslSession(SSL_CTX* context, int socket);

  std::size_t read(void* to, std::size_t size, boost::system::error_code& error) override;
  std::size_t write(const void* from, std::size_t size, boost::system::error_code& error) override;
  void shut_down(boost::system::error_code& error) override;
  Wait waits() const override { return waits_; }
  bool established() const override;
  bool in_record() const override;

 private:
  struct Free {
    void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
  };

  void begin_call();
  boost::system::error_code error_of(int result);
  static long on_call(BIO* socket, int operation, const char*, std::size_t, int, long, int result, std::size_t*);

  const std::unique_ptr<SSL, Free> ssl_;
  Wait waits_ = Wait::none;
  int reads_left_ = 0;  // of the socket, within one call
};

}  // namespace polyflake::server
