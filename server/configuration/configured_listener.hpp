// A listener in the configuration: a protocol at an address.
#pragma once

#include <string>

#include "configuration/section.hpp"

namespace polyflake::server {

// Returns the listener of a section. Errors: ConfigurationError.
ListenerConfiguration read_listener(const Section& section);

// Returns its address, the same for two listeners that cannot both be bound; "" if the port is any.
std::string bound_address(const ListenerConfiguration& listener);

}  // namespace polyflake::server
