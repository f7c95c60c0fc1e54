// A listener in the configuration: a protocol at an address.
#pragma once

#include <string>

#include "configuration/section.hpp"

namespace polyflake::server {

// Returns the listener of a section. Errors: ConfigurationError.
ListenerConfiguration read_listener(const Section& section);

// Returns its address, as the configuration spells it: the same for two listeners that cannot both
// be bound, unless their port is 0.
std::string address_of(const ListenerConfiguration& listener);

// Says, behind "other hosts reach ...", what a listener without TLS needs for that.
inline constexpr char kNeedsTls[] =
    ", and this listener has no TLS: give it a certificate and a key, bind 127.0.0.1 or a Unix socket, or write "
    "insecure = true if all who are between may read what is sent and, without tokens, take ids";

}  // namespace polyflake::server
