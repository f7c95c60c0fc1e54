// The stores that the server reaches: what its configuration may name.
#pragma once

#include <string>
#include <string_view>

#include <polyflake/layout.hpp>
#include <polyflake/store_url.hpp>

#include "configuration/section.hpp"

namespace polyflake::server {

// Returns the parts of the address of a store, in the value of this key. Connects to nothing.
// Errors: ConfigurationError, without credentials: it is not an address, the server does not reach
// such a store, or a parameter is out of range.
lease::StoreUrl served_store(const Section& section, std::string_view key, const std::string& address);

// Errors: ConfigurationError for options of a lease that no namespace of this layout can have.
void check_lease(const Section& section, std::string_view key, const LeaseOptions& options, const Layout& layout);

}  // namespace polyflake::server
