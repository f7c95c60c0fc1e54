#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "issue/current_tick.hpp"
#include "open/container_layer.hpp"

namespace polyflake {
HostNodeProvider::HostNodeProvider(const Layout& layout, const WorkerChoice& worker)
    : layout_(layout), worker_(worker), home_(HostRegistry::default_home()) {}

HostNodeProvider::HostNodeProvider(const Layout& layout, std::uint64_t id, std::string home)
    : layout_(layout), worker_{{WorkerSpec::Kind::host_number, id}, true}, home_(std::move(home)) {}

// What the process holds is remembered under the folder it came from and the way it was asked for.
std::string HostNodeProvider::key(const std::string& what) const { return home_ + '\n' + layout_.text() + '\n' + what; }

Node* HostNodeProvider::held_in(NodeTable& table) const {
  const auto held = table.held.find(key(any() ? "host" : std::to_string(worker_.spec.number)));
  if (held == table.held.end() || is_elsewhere(*held->second)) return nullptr;  // guarded by another folder since
  return held->second->usable() ? held->second : nullptr;
}

// One node has one lock. Generators of this process that were opened there go on under that folder's.
bool HostNodeProvider::is_elsewhere(const Node& node) const { return !node.guard().empty() && node.guard() != home_; }

bool HostNodeProvider::is_taken(NodeTable& table, std::uint64_t id) const {
  const Node* const node = table.find(layout_, id);
  if (node == nullptr || node->grant() == nullptr) return false;
  return is_elsewhere(*node) ? node->in_use() : node->usable();
}

void HostNodeProvider::refuse_elsewhere(const Node* node) const {
  if (node == nullptr || !is_elsewhere(*node) || !node->in_use()) return;
  throw Error(ErrorCode::worker_in_use,
              "node id " + std::to_string(node->id()) + " is held by this process through another registry folder, " +
                  quoted(node->guard()) + "; set POLYFLAKE_HOME once, before the first generator");
}

void HostNodeProvider::refuse_other_copy(std::uint64_t id) const {
  throw Error(ErrorCode::worker_in_use,
              "node id " + std::to_string(id) +
                  " is used by another copy of this library in this process; load one copy, or use "
                  "\"host\" to take any free one");
}

std::unique_ptr<HostReservation> HostNodeProvider::acquire_any(NodeTable& table, HostRegistry& registry) const {
  std::unordered_set<std::uint64_t> other_copies;
  const auto search = [&](bool again) {
    return registry.acquire(
        [&](std::uint64_t id) POLYFLAKE_REQUIRES(table.opening) {
          if (other_copies.count(id) != 0 || is_taken(table, id)) return true;
          return !again && table.failed.count(key(std::to_string(id))) != 0;
        },
        [&](std::uint64_t id) POLYFLAKE_REQUIRES(table.opening) { table.failed.insert(key(std::to_string(id))); });
  };
  for (;;) {
    std::unique_ptr<HostReservation> reservation;
    try {
      reservation = search(false);
    } catch (const Error& error) {
      const bool none = error.code() == ErrorCode::no_worker_free || error.code() == ErrorCode::registry_unusable;
      if (!none || table.failed.empty()) throw;
      reservation = search(true);
    }
    if (table.find_or_add(layout_, reservation->id()).mark_process()) return reservation;
    other_copies.insert(reservation->id());
  }
}

std::unique_ptr<HostReservation> HostNodeProvider::acquire(NodeTable& table, HostRegistry& registry) const {
  if (any()) return acquire_any(table, registry);
  const std::uint64_t id = worker_.spec.number;
  refuse_elsewhere(table.find(layout_, id));
  auto reservation = registry.acquire(id);
  if (!table.find_or_add(layout_, id).mark_process()) refuse_other_copy(id);
  return reservation;
}

Node& HostNodeProvider::open_in_turn(NodeTable& table, std::uint64_t not_before_tick, std::uint64_t execution) const {
  if (Node* const held = held_in(table)) {
    held->skip_to(not_before_tick);
    return *held;
  }
  refuse_when_exiting(table);
  current_tick(layout_, SystemClock::read_ms());  // nothing is written for a clock at which nothing can be issued
  HostRegistry registry(home_, layout_);
  auto reservation = acquire(table, registry);
  Node& node = table.find_or_add(layout_, reservation->id());
  // All that can fail comes before adopt(): what fails gives the node id back.
  table.held[key(std::to_string(node.id()))] = &node;
  if (any()) table.held[key("host")] = &node;
  node.guard_by(home_);
  const std::uint64_t start = std::max(reservation->start_tick(), not_before_tick);
  const std::uint64_t until = reservation->until_tick();
  node.adopt(start, until, std::move(reservation), execution);
  return node;
}

Node& HostNodeProvider::open() {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  const InTurn lock(table.opening);
  Node& node = open_in_turn(table, 0, execution);
  node.join();
  if (!worker_.chosen) look_for_container_layer(home_);
  return node;
}

Node* HostNodeProvider::reopen(Node& old) {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  if (!table.opening.try_lock()) return nullptr;
  const InTurn lock(table.opening, InTurn::Given{});
  Node& node = open_in_turn(table, old.first_free_tick(), execution);
  node.join();
  return &node;
}

GeneratorState HostNodeProvider::after_fork() const noexcept { return {GeneratorState::Name::starting, std::nullopt}; }

}  // namespace polyflake
