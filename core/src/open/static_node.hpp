// A number that the caller vouches for.
#pragma once

#include <cstdint>
#include <memory>

#include "issue/node_provider.hpp"
#include "open/node_request.hpp"

namespace polyflake {

// id: fits the layout. Any lead will do, since nothing is reserved. On a manual clock it has a node for itself alone.
std::unique_ptr<NodeProvider> make_static_node(const NodeRequest& request, std::uint64_t id);

}  // namespace polyflake
