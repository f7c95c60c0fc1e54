// The operating system's last error, in words.
#pragma once

#include <string>

namespace polyflake::platform {

// Returns the reason for the last failed call, in English regardless of the locale.
std::string last_error();

// Returns "cannot <action> '<path>': <reason>" for the last failed call.
std::string why_failed(const std::string& path, const char* action);

// Raises registry_unusable: "cannot <action> '<path>': <reason>".
[[noreturn]] void fail(const std::string& path, const char* action);

// Raises registry_unusable: "'<path>' <reason>".
[[noreturn]] void refuse(const std::string& path, const std::string& reason);

}  // namespace polyflake::platform
