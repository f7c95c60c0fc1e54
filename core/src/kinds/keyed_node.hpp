// Nodes without a node id, for ids that chance keeps from those of other processes: one for each kind and execution.
#pragma once

#include <memory>

#include "issue/node_provider.hpp"

namespace polyflake {

// Unlike a node id it has nothing to wait for, and a copy of the process draws one of its own. `kind` lives as long as the
// program.
std::unique_ptr<NodeProvider> make_keyed_node(const Layout& layout, const char* kind);

// The same on a manual clock, which must outlive it, for one source alone and with these bits.
std::unique_ptr<NodeProvider> make_manual_keyed_node(const Layout& layout, Clock& clock, Node::Draw draw);

}  // namespace polyflake
