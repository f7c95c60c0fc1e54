// Checks that an argument is the text that was typed. A host decodes its arguments by the locale
// before they come here. If that is not UTF-8, letters other than ASCII become U+FFFD: two tweaks
// become one.
#pragma once

#include <string_view>

namespace polyflake::cli {

// Returns true if the text is UTF-8 without U+FFFD.
bool is_whole_utf8(std::string_view text);

}  // namespace polyflake::cli
