// The number that a StatefulSet gives each of its pods.
#pragma once

#include <cstdint>
#include <string_view>

namespace polyflake {

// Returns the number after the last '-' of a host name, plus base.
// Errors: worker_source_invalid if the name does not end in "-<number>", or ends in an address
// (ip-10-0-0-12).
std::uint64_t ordinal_of(std::string_view host_name, std::uint64_t base);

}  // namespace polyflake
