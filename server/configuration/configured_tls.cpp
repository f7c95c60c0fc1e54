#include "configuration/configured_tls.hpp"

namespace polyflake::server {
namespace {

// Returns "" if the key is not there.
std::string absolute_path(const Section& section, const char* key) {
  const auto path = section.text(key);
  if (!path) return "";
  if (path->empty() || path->front() != '/') section.refuse(key, "the absolute path of a file is needed");
  return *path;
}

}  // namespace

std::shared_ptr<Tls> read_tls(const Section& section, ListenerConfiguration::Protocol protocol) {
  const TlsFiles files{absolute_path(section, "certificate"), absolute_path(section, "key"),
                       absolute_path(section, "client_ca")};
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
