// Standbys of PostgreSQL: whether a failover can lose what the primary confirmed.
#pragma once

#include <cstdint>
#include <string>

namespace polyflake::lease {

// Returns true if each commit is on more than half of all copies, whichever they are: the setting is ANY k (names), each name for
// itself and none of them `*`, and k standbys and the primary are a majority of all that are named or connected.
bool confirms_by_majority(const std::string& synchronous_standby_names, std::uint64_t connected);

}  // namespace polyflake::lease
