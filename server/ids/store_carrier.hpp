// The kinds of stores that this server was built with.
#pragma once

#include <memory>
#include <string>

#include <polyflake/carrier.hpp>
#include <polyflake/store_url.hpp>

namespace polyflake::server {

// Returns a carrier for the store of an address, which connects at its first command. Errors:
// worker_source_invalid, without credentials: the client of the store cannot read the address, or
// the server was built without it.
std::shared_ptr<Carrier> store_carrier(const lease::StoreUrl& url);

// Returns "redis, postgresql" and so on.
std::string served_kinds();

}  // namespace polyflake::server
