// The certificates of a listener, by OpenSSL.
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "log.hpp"
#include "network/openssl_session.hpp"
#include "network/tls.hpp"

namespace polyflake::server {
namespace {

struct FreeContext {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;

// Returns what OpenSSL says of its last failure.
std::string openssl_reason() {
  const unsigned long first = ERR_get_error();
  ERR_clear_error();
  if (ERR_SYSTEM_ERROR(first)) return std::generic_category().message(ERR_GET_REASON(first));
  const char* const text = ERR_reason_error_string(first);
  return text == nullptr ? "no reason given" : text;
}

// --- files ----------------------------------------------------------------------------------------

void use_certificate(SSL_CTX* context, const TlsFiles& files) {
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) == 1) return;
  throw TlsError("certificate",
                 "cannot use '" + files.certificate + "' (" + openssl_reason() +
                     "); a file in PEM is needed, with the certificate of the server, then those that lead to its "
                     "authority");
}

bool is_of_another_certificate(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_X509 && ERR_GET_REASON(error) == X509_R_KEY_VALUES_MISMATCH;
}

void use_key(SSL_CTX* context, const TlsFiles& files) {
  const bool is_key = SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) == 1;
  if (!is_key && !is_of_another_certificate(ERR_peek_last_error())) {
    throw TlsError("key", "cannot use '" + files.key + "' (" + openssl_reason() +
                              "); a private key in PEM is needed, without a passphrase");
  }
  if (is_key && SSL_CTX_check_private_key(context) == 1) return;
  ERR_clear_error();
  throw TlsError("key", "'" + files.key + "' is not the key of the first certificate in '" + files.certificate +
                            "'; give the one for which that was made");
}

// Clients are told the names of the authorities, so that they choose a certificate of one.
void use_client_ca(SSL_CTX* context, const TlsFiles& files) {
  STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(files.client_ca.c_str());
  if (names == nullptr || SSL_CTX_load_verify_file(context, files.client_ca.c_str()) != 1) {
    const std::string why = openssl_reason();
    sk_X509_NAME_pop_free(names, X509_NAME_free);
    throw TlsError("client_ca", "cannot use '" + files.client_ca + "' (" + why +
                                    "); a file in PEM is needed, with the certificates of the clients' authorities");
  }
  SSL_CTX_set_client_CA_list(context, names);  // which frees them
  // One that another has signed is an authority, too, without those above it.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
}

bool has_expired(const X509* certificate) { return X509_cmp_time(X509_get0_notAfter(certificate), nullptr) < 0; }

// Not an error: a server that does not start because of it would be worse.
void warn_of_dates(const SSL_CTX* context, const TlsFiles& files) {
  const X509* const certificate = SSL_CTX_get0_certificate(context);
  const bool expired = has_expired(certificate);
  if (!expired && X509_cmp_time(X509_get0_notBefore(certificate), nullptr) <= 0) return;
  log("warning",
      {{"certificate", files.certificate},
       {"reason", expired ? "it has expired: clients refuse it" : "it is not valid yet: clients refuse it"}});
}

// --- what clients may do --------------------------------------------------------------------------

// For HTTP. Refuses clients that name other versions of it alone.
int choose_http(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                unsigned int size, void*) {
  static constexpr unsigned char kNames[] = "\x08http/1.1";
  unsigned char* name = nullptr;
  const int found = SSL_select_next_proto(&name, length, kNames, sizeof(kNames) - 1, offered, size);
  *chosen = name;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// A session does not outlive the certificate of its client, which OpenSSL looks at once.
SSL_TICKET_RETURN look_at_ticket(SSL*, SSL_SESSION* session, const unsigned char*, std::size_t,
                                 SSL_TICKET_STATUS status, void*) {
  if (status != SSL_TICKET_SUCCESS && status != SSL_TICKET_SUCCESS_RENEW) return SSL_TICKET_RETURN_IGNORE_RENEW;
  const X509* const client = SSL_SESSION_get0_peer(session);
  if (client != nullptr && has_expired(client)) return SSL_TICKET_RETURN_IGNORE_RENEW;
  return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW;
}

void set_rules(SSL_CTX* context) {
  static constexpr unsigned char kName[] = "polyflaked";
  // For keys with a passphrase OpenSSL would ask at the terminal.
  SSL_CTX_set_default_passwd_cb(context, [](char*, int, int, void*) { return -1; });
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // The part of TLS 1.2 that every client of today has: new keys for each session, and no CBC.
  SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // An idle connection has no buffers. A write that waited may go on from where its bytes have moved.
  SSL_CTX_set_mode(context,
                   SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Sessions are kept by the clients, in tickets. Without a name those with a certificate could not come back.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_session_id_context(context, kName, sizeof(kName) - 1);
  SSL_CTX_set_session_ticket_cb(context, nullptr, look_at_ticket, nullptr);
}

class Openssl final : public Tls {
 public:
  Openssl(TlsFiles files, bool http) : files_(std::move(files)), http_(http) { reread(); }

  std::unique_ptr<TlsSession> begin(int socket) const override {
    return std::make_unique<OpensslSession>(context_.get(), socket);
  }

  void reread() override {
    Context context(SSL_CTX_new(TLS_server_method()));
    if (!context) throw std::bad_alloc();
    set_rules(context.get());
    use_certificate(context.get(), files_);
    use_key(context.get(), files_);
    if (!files_.client_ca.empty()) use_client_ca(context.get(), files_);
    if (http_) SSL_CTX_set_alpn_select_cb(context.get(), choose_http, nullptr);
    warn_of_dates(context.get(), files_);
    context_ = std::move(context);
  }

  const TlsFiles& files() const override { return files_; }

 private:
  const TlsFiles files_;
  const bool http_;
  Context context_;  // sessions keep the one that they began with
};

}  // namespace

std::shared_ptr<Tls> open_tls(const TlsFiles& files, bool http) { return std::make_shared<Openssl>(files, http); }

}  // namespace polyflake::server
