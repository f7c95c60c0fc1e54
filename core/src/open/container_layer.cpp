#include "open/container_layer.hpp"

#include <atomic>

#include "os/os.hpp"

namespace polyflake {
namespace {

std::atomic<bool> g_on_container_layer{false};
std::atomic<bool> g_warned{false};

}  // namespace

void look_for_container_layer(const std::string& home) {
  if (platform::environment("POLYFLAKE_HOME")) return;
  if (platform::file_system(home).container_layer) g_on_container_layer.store(true);
}

std::string take_container_warning() {
  if (!g_on_container_layer.load() || g_warned.exchange(true)) return {};
  return "polyflake: no worker was chosen, and the registry folder lies on this container's own file system: other containers "
         "have registries of their own and issue the same ids. Mount one folder into all containers of a host and name it in "
         "POLYFLAKE_HOME, or choose a worker (POLYFLAKE_WORKER): see docs/worker-ids.md";
}

}  // namespace polyflake
