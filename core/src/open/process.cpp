#include <polyflake/process.hpp>

#include "issue/node_table.hpp"
#include "open/container_layer.hpp"

namespace polyflake {

void release_all() noexcept { NodeTable::close_existing(); }

std::string take_warning() { return take_container_warning(); }

}  // namespace polyflake
