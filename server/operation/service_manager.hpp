// Variables of the environment that a service manager sets for the process that it starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace polyflake::server {

// Returns the value of a variable, and unsets it: it is meant for this process alone. Requires: no
// other thread runs.
std::optional<std::string> take_variable(const char* name);

// Returns the number, above 0, of a variable with this value. Errors: ConfigurationError.
std::int64_t number_of_variable(const char* name, const std::string& value);

}  // namespace polyflake::server
