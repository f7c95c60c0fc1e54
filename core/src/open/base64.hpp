// Base64 with padding, the standard alphabet (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace polyflake {

std::string to_base64(std::string_view bytes);
// Returns nothing if the text is not what to_base64() makes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace polyflake
