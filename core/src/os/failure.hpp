// What the operating system said last, in words.
#pragma once

#include <string>

namespace polyflake::platform {

// Of the call that failed just now; in English, whatever locale the program has set.
std::string last_error();

// Returns "cannot <action> '<path>': <what the system said>" for the call that failed just now.
std::string why_failed(const std::string& path, const char* action);

// Raises registry_unusable: "cannot <action> '<path>': <what the system said>".
[[noreturn]] void fail(const std::string& path, const char* action);

// Raises registry_unusable: "'<path>' <reason>".
[[noreturn]] void refuse(const std::string& path, const std::string& reason);

}  // namespace polyflake::platform
