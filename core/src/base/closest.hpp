// Advice on misspelled names: which of the known names is meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polyflake {

// Returns a name in small letters and without '_' and '-', in which the spellings of languages
// differ: max_wait_ms and maxWaitMs are the same.
std::string plain_name(std::string_view name);

// Returns the known name that is closest to `given`: it is spelled otherwise, begins with it, or
// takes at most two letters to add, leave out or change (Levenshtein). Returns "" if none is so
// close. Only the first 64 characters of `given` are compared.
std::string closest(std::string_view given, const std::vector<std::string>& known);

}  // namespace polyflake
