// TLS of a listener: reads its certificates, and speaks with its clients.
//
// OpenSSL is behind it: openssl_*.cpp. A build without TLS has tls_absent.cpp in their place.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/system/error_code.hpp>

namespace polyflake::server {

// Files in PEM.
struct TlsFiles {
  std::string certificate;  // the server's, then those between it and its authority
  std::string key;          // of the first certificate
  std::string client_ca;    // authorities, of which clients must show a certificate; "": none
};

// Says what is wrong with a file.
class TlsError : public std::runtime_error {
 public:
  // key: "certificate", "key" or "client_ca".
  TlsError(std::string key, const std::string& message) : std::runtime_error(message), key_(std::move(key)) {}
  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

// One connection. The first calls shake hands with the client; nothing is read or written before it
// has shown what it must.
class TlsSession {
 public:
  enum class Wait { none, for_input, for_room };

  TlsSession() = default;
  virtual ~TlsSession() = default;
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // The largest record. Requires: read() has room for it. Then nothing stays behind in here, of
  // which the socket would not tell.
  static constexpr std::size_t kRecord = 16 * 1024;

  // As read_some(), of one record, and write_some() of a socket that does not block. would_block:
  // waits() says for what. eof: the client has said that nothing follows. protocol_error: TLS
  // failed, and the client was told why; nothing may be read or written after that.
  virtual std::size_t read(void* to, std::size_t size, boost::system::error_code& error) = 0;
  // Requires: what was not written yet is at the front of the next call.
  virtual std::size_t write(const void* from, std::size_t size, boost::system::error_code& error) = 0;
  // Tells the client that nothing follows.
  virtual void shut_down(boost::system::error_code& error) = 0;

  // Returns what the last call waits for: reading may wait for room, and writing for input.
  virtual Wait waits() const = 0;
  virtual bool established() const = 0;
  // Returns true if the client has begun a record, and the rest has not come.
  virtual bool in_record() const = 0;
};

// The certificates of a listener, and what its clients may do. Thread safety: that of the event
// loop.
class Tls {
 public:
  Tls() = default;
  virtual ~Tls() = default;
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  // Returns the session of a socket, which must not block. Errors: std::bad_alloc.
  virtual std::unique_ptr<TlsSession> begin(int socket) const = 0;
  // Reads the files again. Connections of before go on as they are. Errors: TlsError; then nothing
  // has changed.
  virtual void reread() = 0;
  virtual const TlsFiles& files() const = 0;
};

// Reads and checks the files. http: clients may name the protocol that they will speak, which must
// be HTTP/1.1. Logs a certificate that has expired. Errors: TlsError.
std::shared_ptr<Tls> open_tls(const TlsFiles& files, bool http);

}  // namespace polyflake::server
