#include <polyflake/process.hpp>

#include <atomic>
#include <cstdlib>

#include "issue/node_table.hpp"
#include "open/container_layer.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// Whether a warning is due, and whether it was given.
std::atomic<bool> g_on_container_layer{false};
std::atomic<bool> g_warned{false};

void release_at_exit() { release_all(); }

// At load, not at first use: a guard of a first use could be inherited half-way by a fork.
[[maybe_unused]] const int g_at_exit = std::atexit(release_at_exit);

}  // namespace

void release_all() noexcept {
  // None in a forked child that issued nothing: all it inherited is the parent's.
  if (NodeTable* const table = NodeTable::existing()) table->close();
}

void look_for_container_layer(const std::string& home) {
  if (!platform::environment("POLYFLAKE_HOME") && platform::is_container_layer(home)) g_on_container_layer.store(true);
}

std::string take_warning() {
  if (!g_on_container_layer.load() || g_warned.exchange(true)) return {};
  return "polyflake: no worker was chosen, and the registry folder lies on this container's own file system: other containers "
         "have registries of their own and issue the same ids. Mount one folder into all containers of a host and name it in "
         "POLYFLAKE_HOME, or choose a worker (POLYFLAKE_WORKER): see docs/worker-ids.md";
}

}  // namespace polyflake
