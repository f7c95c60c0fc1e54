// The target of a request of HTTP: its path and its query.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace polyflake::server {

struct HttpTarget {
  std::string_view path;   // begins with '/'
  std::string_view query;  // what follows '?'; "" if nothing does
};

// Splits a target, which may be a whole URL, as proxies send it.
HttpTarget split_target(std::string_view target);

// Returns text whose percent-escapes are decoded: the text itself if it has none, else `buffer`.
// Errors: HttpRefusal (an escape that is not % and two hexadecimal digits).
std::string_view unescaped(std::string_view text, std::string& buffer);

// The names of the parameters that a path takes; "": one fewer.
using HttpParameters = std::array<std::string_view, 2>;
using HttpValues = std::array<std::optional<std::string>, 2>;  // in the order of the names

// Returns the values of a query; + is a blank, as in forms. Errors: HttpRefusal (an unknown or
// repeated parameter). others_allowed: parameters with other names are skipped.
HttpValues read_query(std::string_view query, const HttpParameters& names, bool others_allowed);

}  // namespace polyflake::server
