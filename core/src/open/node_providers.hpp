// Chooses the provider for a worker. Providers meet in the table of nodes, which has one node per
// layout and node id, with the strongest guard that was asked for: a node id once guarded by a
// registry is never issued without it.
#pragma once

#include <polyflake/worker.hpp>

#include <memory>

#include "issue/node_provider.hpp"
#include "open/node_request.hpp"

namespace polyflake {

// Returns the provider. worker: as choose_worker() gives it.
// Blocks: I/O on a manual clock; on the system's clock NodeProvider::open() does the I/O.
// Errors: worker_source_invalid, field_out_of_range, unknown_field, option_invalid,
// registry_unusable (there is no folder to ask for), and on a manual clock those of Generator().
std::unique_ptr<NodeProvider> provider_for(const Worker& worker, const NodeRequest& request);

}  // namespace polyflake
