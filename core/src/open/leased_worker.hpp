// Workers that are leases: in a C++ store with a thread of this library, or kept by the caller.
#pragma once

#include <polyflake/worker.hpp>

#include <memory>

#include "issue/node_provider.hpp"
#include "open/node_request.hpp"

namespace polyflake {

// Blocks: I/O of the store, until a node id is held. Errors: those of leases, option_invalid.
std::unique_ptr<NodeProvider> make_stored_node(const NodeRequest& request, const Worker::InStore& worker);

// Requires: the lease has a window. Errors: option_invalid if it is a lease for another layout.
std::unique_ptr<NodeProvider> make_leased_node(const NodeRequest& request, const std::shared_ptr<lease::Lease>& lease);

}  // namespace polyflake
