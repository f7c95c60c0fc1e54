// TLS of a listener in the configuration.
#pragma once

#include <memory>

#include "configuration/section.hpp"

namespace polyflake::server {

// Returns the TLS of a listener of this protocol, or null if it has none.
// Errors: ConfigurationError, also for files that cannot be used.
std::shared_ptr<Tls> read_tls(const Section& section, ListenerConfiguration::Protocol protocol);

}  // namespace polyflake::server
