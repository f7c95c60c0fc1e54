// A node that a registry folder guards: it is issued under that folder's lock and mark, or not at
// all.
#pragma once

#include <cstdint>

#include "issue/node_table.hpp"

namespace polyflake {

// Makes the node usable again through the folder that guards it, above everything it ever stamped.
// Blocks: I/O.
// Errors: worker_in_use, registry_unusable, clock_before_epoch, time_exhausted, generator_closed.
void reopen_guarded(Node& node, NodeTable& table, std::uint64_t execution) POLYFLAKE_REQUIRES(table.opening);

}  // namespace polyflake
