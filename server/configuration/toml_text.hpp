// The text of a configuration file as a table of TOML.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace polyflake::server {

// Returns the table of a file. Errors: ConfigurationError, with file and line, if the text is no
// TOML, has a line of more than 4096 bytes, or more than 1 MiB. The message shows no text of the
// file, which may be a part of an address with its password.
toml::table parsed_toml(std::string_view text, const std::string& file);

}  // namespace polyflake::server
