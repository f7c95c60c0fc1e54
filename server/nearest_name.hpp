// Advice on misspelled names of the configuration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polyflake::server {

// Returns the known name that takes the fewest letters to add, leave out or change (Levenshtein);
// "" if each takes more than two. Compares the first 64 characters of `given`.
std::string nearest_name(std::string_view given, const std::vector<std::string>& known);

}  // namespace polyflake::server
