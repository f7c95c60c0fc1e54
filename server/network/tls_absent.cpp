// In place of OpenSSL, in a build without TLS.
#include "network/tls.hpp"

namespace polyflake::server {

std::shared_ptr<Tls> open_tls(const TlsFiles&, bool) {
  throw TlsError(
      "certificate",
      "this polyflaked was built without TLS. Build it with -DPOLYFLAKE_SERVER_TLS=ON, or leave certificate, "
      "key and client_ca out and put a proxy that has TLS before it");
}

}  // namespace polyflake::server
