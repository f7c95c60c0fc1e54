// Asks a running server whether it is ready, for containers and scripts without a client of HTTP.
#pragma once

#include <string>

#include "configuration/configuration.hpp"

namespace polyflake::server {

// Returns the first listener that can be asked, or null: HTTP at an address that the configuration
// tells, which a free port does not.
const ListenerConfiguration* listener_to_ask(const Configuration& configuration);

struct Readiness {
  bool ready;          // /readyz is 200
  std::string answer;  // its body, with ? for all but plain text, or why there is none
};

// Asks /readyz there. An address of all interfaces is asked on loopback. Blocks: at most 3 s.
Readiness ask_readiness(const ListenerConfiguration& listener);

}  // namespace polyflake::server
