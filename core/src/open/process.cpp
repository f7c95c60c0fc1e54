#include <polyflake/process.hpp>

#include <cstdlib>

#include "issue/node_table.hpp"
#include "open/container_layer.hpp"

namespace polyflake {
namespace {

void release_at_exit() { release_all(); }

// At load, not at first use: a guard of a first use could be inherited half-way by a fork.
[[maybe_unused]] const int g_at_exit = std::atexit(release_at_exit);

}  // namespace

void release_all() noexcept {
  // None in a forked child that issued nothing: all it inherited is the parent's.
  if (NodeTable* const table = NodeTable::existing()) table->close();
}

std::string take_warning() { return take_container_warning(); }

}  // namespace polyflake
