// A session whose records come in pieces, or bring nothing. The rest is seen by clients, in test_tls*.py.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include <boost/asio/error.hpp>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "network/tls.hpp"

namespace polyflake::server {
namespace {

template <class Write>
std::string written(const char* name, Write write) {
  std::string path = testing::TempDir() + name + std::to_string(::getpid());
  std::FILE* const file = std::fopen(path.c_str(), "w");
  EXPECT_NE(file, nullptr);
  EXPECT_EQ(write(file), 1);
  std::fclose(file);
  return path;
}

// A certificate that has signed itself.
TlsFiles made_files() {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_sign(certificate, key, EVP_sha256());
  TlsFiles files;
  files.certificate = written("certificate", [&](std::FILE* file) { return PEM_write_X509(file, certificate); });
  files.key = written(
      "key", [&](std::FILE* file) { return PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr); });
  X509_free(certificate);
  EVP_PKEY_free(key);
  return files;
}

// A session, and a client that has shaken hands with it.
class TlsSessions : public testing::Test {
 protected:
  TlsSessions() : context_(SSL_CTX_new(TLS_client_method())), client(SSL_new(context_)) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_.data()), 0);
    session = tls_->begin(sockets_[0]);
    SSL_set_fd(client, sockets_[1]);
    SSL_set_connect_state(client);
    for (int turns = 0; turns < 10; ++turns) {
      SSL_do_handshake(client);
      read();
    }
    EXPECT_TRUE(session->established());
    EXPECT_EQ(SSL_is_init_finished(client), 1);
  }
  ~TlsSessions() override {
    SSL_free(client);
    SSL_CTX_free(context_);
    session.reset();
    for (const int one : sockets_) ::close(one);
  }

  // Returns what one call reads; "" if it has to wait.
  std::string read() {
    std::string data(TlsSession::kRecord, 0);
    boost::system::error_code error;
    data.resize(session->read(data.data(), data.size(), error));
    EXPECT_EQ(error == boost::asio::error::would_block, data.empty()) << error.message();
    return data;
  }

  // Bytes in the socket that the session has not read.
  int unread() const {
    int count = 0;
    EXPECT_EQ(::ioctl(sockets_[0], FIONREAD, &count), 0);
    return count;
  }

  int server_socket() const { return sockets_[0]; }
  int client_socket() const { return sockets_[1]; }

 private:
  const TlsFiles files_ = made_files();
  const std::shared_ptr<Tls> tls_ = open_tls(files_, false);
  std::array<int, 2> sockets_{};
  SSL_CTX* const context_;

 protected:
  SSL* const client;
  std::unique_ptr<TlsSession> session;
};

TEST_F(TlsSessions, records_without_data_do_not_keep_a_read) {
  for (int count = 0; count < 100; ++count) {
    ASSERT_EQ(SSL_key_update(client, SSL_KEY_UPDATE_NOT_REQUESTED), 1);
    ASSERT_EQ(SSL_do_handshake(client), 1);
  }
  ASSERT_EQ(SSL_write(client, "PING", 4), 4);
  const int all = unread();
  EXPECT_EQ(read(), "");
  EXPECT_EQ(session->waits(), TlsSession::Wait::for_input);
  EXPECT_GT(unread(), all / 2);
  std::string data;
  for (int calls = 0; calls < 10 && data.empty(); ++calls) data = read();
  EXPECT_EQ(data, "PING");
}

TEST_F(TlsSessions, a_record_that_has_begun_is_known) {
  BIO* const records = BIO_new(BIO_s_mem());
  BIO_up_ref(records);
  SSL_set0_wbio(client, records);
  ASSERT_EQ(SSL_write(client, "PING", 4), 4);
  std::array<char, 100> record{};
  const int length = BIO_read(records, record.data(), static_cast<int>(record.size()));
  BIO_free(records);
  ASSERT_GT(length, 9);
  EXPECT_FALSE(session->in_record());
  int sent = 0;
  for (const int until : {1, 5, 9, length - 1}) {  // in its head, of 5 bytes, behind it, and at its end
    ASSERT_EQ(::write(client_socket(), record.data() + sent, static_cast<std::size_t>(until - sent)), until - sent);
    sent = until;
    EXPECT_EQ(read(), "");
    EXPECT_TRUE(session->in_record()) << until;
  }
  ASSERT_EQ(::write(client_socket(), record.data() + sent, 1), 1);
  EXPECT_EQ(read(), "PING");
  EXPECT_FALSE(session->in_record());
}

// OpenSSL keeps errors in a queue of the thread.
TEST_F(TlsSessions, an_error_of_another_call_is_not_taken_for_one_of_this) {
  ASSERT_EQ(::write(client_socket(), "\x17", 1), 1);  // a record begins
  ERR_raise(ERR_LIB_SSL, SSL_R_BAD_LENGTH);
  EXPECT_EQ(read(), "");
  EXPECT_EQ(session->waits(), TlsSession::Wait::for_input);
}

TEST_F(TlsSessions, a_last_word_for_which_there_is_no_room_waits) {
  std::array<char, 4096> bytes{};
  while (::write(server_socket(), bytes.data(), bytes.size()) > 0) continue;
  boost::system::error_code error;
  session->shut_down(error);
  EXPECT_EQ(error, boost::asio::error::would_block);
  EXPECT_EQ(session->waits(), TlsSession::Wait::for_room);
  while (::read(client_socket(), bytes.data(), bytes.size()) > 0) continue;
  session->shut_down(error);
  EXPECT_FALSE(error) << error.message();
  EXPECT_GT(::read(client_socket(), bytes.data(), bytes.size()), 0);
}

}  // namespace
}  // namespace polyflake::server
