#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

namespace polyflake {
namespace {

std::unique_ptr<NodeProvider> static_node(const Layout& layout, const WorkerChoice& worker) {
  return std::make_unique<StaticNodeProvider>(layout, worker.spec.number);
}

std::unique_ptr<NodeProvider> host_node(const Layout& layout, const WorkerChoice& worker) {
  return std::make_unique<HostNodeProvider>(layout, worker);
}

constexpr struct {
  WorkerSpec::Kind kind;
  std::unique_ptr<NodeProvider> (*make)(const Layout& layout, const WorkerChoice& worker);
} kProviders[] = {
    {WorkerSpec::Kind::number, static_node},
    {WorkerSpec::Kind::host, host_node},
    {WorkerSpec::Kind::host_number, host_node},
};

}  // namespace

std::unique_ptr<NodeProvider> provider_for(const Layout& layout, const WorkerChoice& worker) {
  for (const auto& row : kProviders) {
    if (row.kind == worker.spec.kind) return row.make(layout, worker);
  }
  throw Error(ErrorCode::worker_source_invalid, "nobody provides such a worker");
}

void refuse_when_exiting(const NodeTable& table) {
  if (table.closed()) throw Error(ErrorCode::generator_closed, "the process is exiting; its generators are closed");
}

}  // namespace polyflake
