// A number that the caller vouches for.
#pragma once

#include <cstdint>
#include <memory>

#include "issue/node_provider.hpp"
#include "open/node_request.hpp"

namespace polyflake {

// Returns the provider of this node. Requires: id fits the layout. Accepts any lead, since nothing
// is reserved. On a manual clock the generator gets a node of its own.
std::unique_ptr<NodeProvider> make_static_node(const NodeRequest& request, std::uint64_t id);

}  // namespace polyflake
