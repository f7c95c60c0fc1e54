// Nodes without a node id, for ids that randomness keeps apart from those of other processes: one
// per kind and execution.
#pragma once

#include <memory>

#include "issue/node_provider.hpp"

namespace polyflake {

// Returns the provider. Its node waits for nothing, and a copy of the process draws bits of its
// own. Requires: `kind` lives as long as the program.
std::unique_ptr<NodeProvider> make_keyed_node(const Layout& layout, const char* kind);

// Returns the provider of a node on a manual clock, which must outlive it, for one source alone and
// with these bits.
std::unique_ptr<NodeProvider> make_manual_keyed_node(const Layout& layout, Clock& clock, Node::RandomKey random_key);

}  // namespace polyflake
