// Settings of the lease machine by the address of a store. The reader of addresses is public:
// polyflake/store_url.hpp.
#pragma once

#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>
#include <polyflake/store_url.hpp>

#include <string>

#include "lease/machine.hpp"

namespace polyflake::lease {

// Errors: option_invalid if a schema is asked for and this kind of store has none.
void check_schema(const std::string& kind, const WantedNamespace& wanted);

// Returns the settings of the machine. Errors: option_invalid, also if the layout does not fit the
// window.
Settings settings_for(const LeaseOptions& options, const Layout& layout, const std::string& label);
// Returns the settings that suffice to look at a namespace.
Settings settings_of(const Layout& layout);

}  // namespace polyflake::lease
