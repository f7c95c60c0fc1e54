// From a worker to who provides its node. Providers meet in the table of nodes, where a node id of a layout has one node and
// the strongest right that was asked for: what a registry guards once is never issued without it.
#pragma once

#include <polyflake/worker.hpp>

#include <memory>

#include "issue/node_provider.hpp"
#include "open/node_request.hpp"

namespace polyflake {

// worker: as choose_worker() gives it. Blocks: I/O on a manual clock; on the system's that is left to NodeProvider::open().
// Errors: worker_source_invalid, field_out_of_range, unknown_field, option_invalid, registry_unusable (there is no folder to
// ask for), and on a manual clock as Generator().
std::unique_ptr<NodeProvider> provider_for(const Worker& worker, const NodeRequest& request);

}  // namespace polyflake
