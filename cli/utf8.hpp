// Whether an argument is what was typed. A host decodes its arguments by the locale before they come here, and where that is
// none of UTF-8, other letters than ASCII become U+FFFD: two tweaks become one.
#pragma once

#include <string_view>

namespace polyflake::cli {

// UTF-8, and no U+FFFD in it.
bool is_whole_utf8(std::string_view text);

}  // namespace polyflake::cli
