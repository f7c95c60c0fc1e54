// What messages say of texts, beside quoted() and quoted_path().
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace polyflake {

// Returns the number of UTF-8 characters; any other text gets some number, too.
std::size_t characters(std::string_view text);

// Returns true if quoted() shows the text.
bool is_shown(std::string_view text);

// Returns the number of characters in front that a word may have: A-Z a-z 0-9 _ . -
std::size_t word_length(std::string_view text);

// Returns the name of a host, a process or a server for a message. Systems give these names, not
// callers, so one of up to 80 plain characters is shown as it is, and others as by quoted().
std::string system_name(std::string_view name);

}  // namespace polyflake
