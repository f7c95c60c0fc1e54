// Advice on misspelled names of the configuration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polyflake::server {

// Returns the known name that takes the fewest letters to add, leave out or change (Levenshtein);
// "" if each takes more than two. Of `given` only the first 64 characters count.
std::string nearest_name(std::string_view given, const std::vector<std::string>& known);

}  // namespace polyflake::server
