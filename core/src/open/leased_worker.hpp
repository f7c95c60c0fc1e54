// Workers that are leases: in a store of C++ with a thread of ours, or kept by somebody else.
#pragma once

#include <polyflake/worker.hpp>

#include <memory>

#include "issue/node_provider.hpp"
#include "open/node_request.hpp"

namespace polyflake {

// Blocks: I/O of the store, until a node id is held. Errors: those of leases, option_invalid.
std::unique_ptr<NodeProvider> make_stored_node(const NodeRequest& request, const Worker::InStore& worker);

// Requires: the lease has a window. Errors: option_invalid where it is one of another layout.
std::unique_ptr<NodeProvider> make_leased_node(const NodeRequest& request, const std::shared_ptr<lease::Lease>& lease);

}  // namespace polyflake
