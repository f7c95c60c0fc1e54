#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

#include <utility>

#include "issue/current_tick.hpp"
#include "os/os.hpp"

namespace polyflake {

ManualNodeProvider::ManualNodeProvider(const Layout& layout, const WorkerSpec& worker, Clock& clock) {
  if (worker.kind == WorkerSpec::Kind::number) {
    node_ = std::make_unique<Node>(layout, worker.number, &clock);
    node_->adopt(0, layout.end_tick(), nullptr);
  } else {
    const std::uint64_t execution = Execution::current();
    NodeTable::current();  // so that a copy of the process has let go of what it inherited
    current_tick(layout, clock.now_ms());
    // Apart from what real clocks reserved: made-up time must not take their node ids out of use.
    HostRegistry registry(platform::inside(HostRegistry::default_home(), "manual-clock"), layout, &clock);
    auto reservation = worker.kind == WorkerSpec::Kind::host ? registry.acquire([](std::uint64_t) { return false; })
                                                             : registry.acquire(worker.number);
    node_ = std::make_unique<Node>(layout, reservation->id(), &clock);
    const std::uint64_t start = reservation->start_tick(), until = reservation->until_tick();
    node_->adopt(start, until, std::move(reservation), execution);
  }
  node_->join();
}

Node* ManualNodeProvider::reopen(Node& old) {
  if (!old.grant()->ours()) {
    throw Error(ErrorCode::forked_generator, "a generator on a manual clock stays with the process that made it");
  }
  throw Error(ErrorCode::registry_unusable,
              "the registry file of node id " + std::to_string(old.id()) + " failed earlier; open a new generator");
}

GeneratorState ManualNodeProvider::after_fork() const noexcept {
  return {GeneratorState::Name::lost, ErrorCode::forked_generator};
}

}  // namespace polyflake
