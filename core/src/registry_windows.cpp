// The host registry has no Windows implementation yet: `host` sources refuse, all others work.
#include <polyflake/registry.hpp>

#include <polyflake/error.hpp>

#include <cstdlib>

#include "node_file.hpp"
#include "platform.hpp"

namespace polyflake {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::registry_unusable,
              "the host registry does not support Windows yet; pass a node id, or set POLYFLAKE_WORKER to one");
}

}  // namespace

NodeFile::~NodeFile() = default;
HostNode::~HostNode() = default;
bool HostNode::extend(Grant&, std::uint64_t, std::int64_t) { refuse(); }
void HostNode::release(std::uint64_t) noexcept {}
void HostNode::abandon() noexcept {}

std::string HostRegistry::default_home() { refuse(); }
HostRegistry::HostRegistry(const std::string&, const Layout& layout) : layout_(layout) { refuse(); }
std::unique_ptr<HostNode> HostRegistry::acquire(std::int64_t, const std::function<bool(std::uint64_t)>&) { refuse(); }
std::unique_ptr<HostNode> HostRegistry::acquire(std::uint64_t, std::int64_t) { refuse(); }

bool platform::tsc_keeps_time() { return false; }

std::string platform::host_name() {
  const char* const name = std::getenv("COMPUTERNAME");
  return name == nullptr ? "" : name;
}

}  // namespace polyflake
