#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

#include <utility>

#include "issue/current_tick.hpp"

namespace polyflake {

std::unique_ptr<State> ManualNodeProvider::open(const Layout& layout, const WorkerSpec& worker, Clock& clock) {
  if (worker.kind == WorkerSpec::Kind::number) {
    auto state = std::make_unique<State>(layout, worker.number, &clock);
    state->adopt(0, layout.end_tick(), nullptr);
    return state;
  }
  const std::uint64_t execution = Execution::current();
  NodeTable::current();  // so that a copy of the process has let go of what it inherited
  current_tick(layout, clock.now_ms());
  // Apart from what real clocks reserved: made-up time must not take their node ids out of use.
  HostRegistry registry(HostRegistry::default_home() + "/manual-clock", layout, &clock);
  auto node = worker.kind == WorkerSpec::Kind::host ? registry.acquire([](std::uint64_t) { return false; })
                                                      : registry.acquire(worker.number);
  auto state = std::make_unique<State>(layout, node->node(), &clock);
  const std::uint64_t start = node->start_tick(), until = node->until_tick();
  state->adopt(start, until, std::move(node), execution);
  return state;
}

State* ManualNodeProvider::reopen(State& old) {
  if (!old.grant()->ours()) {
    throw Error(ErrorCode::forked_generator, "a generator on a manual clock stays with the process that made it");
  }
  throw Error(ErrorCode::registry_unusable, "the registry file of node id " + std::to_string(old.node()) +
                                                " failed earlier; open a new generator");
}

GeneratorState ManualNodeProvider::after_fork() const noexcept {
  return {GeneratorState::Name::lost, ErrorCode::forked_generator};
}

}  // namespace polyflake
