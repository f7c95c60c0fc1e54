// Standbys of PostgreSQL: can a failover lose a commit that the primary confirmed?
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::lease {

// Returns true if every commit is on more than half of all copies: the setting is ANY k (names)
// without `*`, and k standbys and the primary are a majority of all copies that are named or
// connected.
bool confirms_by_majority(const std::string& synchronous_standby_names, std::uint64_t connected);

}  // namespace polyflake::lease
