#include "configuration/configured_tls.hpp"

namespace polyflake::server {

std::shared_ptr<Tls> read_tls(const Section& section, ListenerConfiguration::Protocol protocol) {
  const TlsFiles files{section.absolute_path("certificate"), section.absolute_path("key"),
                       section.absolute_path("client_ca")};
  if (files.certificate.empty() && files.key.empty() && files.client_ca.empty()) return nullptr;
  if (files.certificate.empty()) section.refuse_missing("certificate", "key and client_ca need it; TLS has one");
  if (files.key.empty()) section.refuse_missing("key", "it is needed with the certificate");
  try {
    return open_tls(files, protocol == ListenerConfiguration::Protocol::http);
  } catch (const TlsError& error) {
    section.refuse(error.key(), error.what());
  }
}

}  // namespace polyflake::server
