#include "open/node_providers.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "issue/current_tick.hpp"

namespace polyflake {
namespace {

void release_at_exit() { release_all(); }

// At load, not at first use: a guard of a first use could be inherited half-way by a fork.
[[maybe_unused]] const int g_at_exit = std::atexit(release_at_exit);

}  // namespace

void release_all() noexcept {
  NodeTable* const table = NodeTable::existing();
  if (table == nullptr) return;  // a forked child that issued nothing: all it inherited is the parent's
  table->exiting.store(true, std::memory_order_release);
  table->for_each([](State& state) { state.release(false); });
}

void refuse_when_exiting(const NodeTable& table) {
  if (table.exiting.load(std::memory_order_acquire)) {
    throw Error(ErrorCode::generator_closed, "the process is exiting; its generators are closed");
  }
}

HostNodeProvider::HostNodeProvider(const Layout& layout, WorkerSpec worker)
    : layout_(layout), worker_(worker), home_(HostRegistry::default_home()) {}

HostNodeProvider::HostNodeProvider(const Layout& layout, std::uint64_t node, std::string home)
    : layout_(layout), worker_{WorkerSpec::Kind::host_number, node}, home_(std::move(home)) {}

// What the process holds is remembered under the folder it came from and the way it was asked for.
std::string HostNodeProvider::key(const std::string& what) const { return home_ + '\n' + layout_.text() + '\n' + what; }

State* HostNodeProvider::held_in(NodeTable& table) const {
  const auto held = table.held.find(key(any() ? "host" : std::to_string(worker_.number)));
  if (held == table.held.end() || is_elsewhere(*held->second)) return nullptr;  // guarded by another folder since
  return held->second->usable() ? held->second : nullptr;
}

// One state has one lock. Generators of this process that were opened there go on under that folder's.
bool HostNodeProvider::is_elsewhere(const State& state) const { return state.guarded() && state.home != home_; }

bool HostNodeProvider::is_taken(NodeTable& table, std::uint64_t node) const {
  const State* const state = table.find(layout_, node);
  if (state == nullptr || state->grant() == nullptr) return false;
  return is_elsewhere(*state) ? state->in_use() : state->usable();
}

void HostNodeProvider::refuse_elsewhere(const State* state) const {
  if (state == nullptr || !is_elsewhere(*state) || !state->in_use()) return;
  throw Error(ErrorCode::worker_in_use, "node id " + std::to_string(state->node()) +
                                            " is held by this process through another registry folder, " +
                                            quoted(state->home) + "; set POLYFLAKE_HOME once, before the first generator");
}

void HostNodeProvider::refuse_other_copy(std::uint64_t node) const {
  throw Error(ErrorCode::worker_in_use, "node id " + std::to_string(node) +
                                            " is used by another copy of this library in this process; load one copy, or use "
                                            "\"host\" to take any free one");
}

std::unique_ptr<HostReservation> HostNodeProvider::acquire_any(NodeTable& table, HostRegistry& registry) const {
  std::unordered_set<std::uint64_t> other_copies;
  const auto search = [&](bool again) {
    return registry.acquire(
        [&](std::uint64_t node) {
          if (other_copies.count(node) != 0 || is_taken(table, node)) return true;
          return !again && table.failed.count(key(std::to_string(node))) != 0;
        },
        [&](std::uint64_t node) { table.failed.insert(key(std::to_string(node))); });
  };
  for (;;) {
    std::unique_ptr<HostReservation> node;
    try {
      node = search(false);
    } catch (const Error& error) {
      const bool none = error.code() == ErrorCode::no_worker_free || error.code() == ErrorCode::registry_unusable;
      if (!none || table.failed.empty()) throw;
      node = search(true);
    }
    if (table.find_or_add(layout_, node->node()).mark_process()) return node;
    other_copies.insert(node->node());
  }
}

std::unique_ptr<HostReservation> HostNodeProvider::acquire(NodeTable& table, HostRegistry& registry) const {
  if (any()) return acquire_any(table, registry);
  refuse_elsewhere(table.find(layout_, worker_.number));
  auto node = registry.acquire(worker_.number);
  if (!table.find_or_add(layout_, worker_.number).mark_process()) refuse_other_copy(worker_.number);
  return node;
}

State& HostNodeProvider::open_in_turn(NodeTable& table, std::uint64_t not_before_tick, std::uint64_t execution) const {
  if (State* const held = held_in(table)) {
    held->skip_to(not_before_tick);
    return *held;
  }
  refuse_when_exiting(table);
  current_tick(layout_, SystemClock::read_ms());  // nothing is written for a clock at which nothing can be issued
  HostRegistry registry(home_, layout_);
  auto node = acquire(table, registry);
  State& state = table.find_or_add(layout_, node->node());
  // All that can fail comes before adopt(): what fails gives the node back.
  table.held[key(std::to_string(state.node()))] = &state;
  if (any()) table.held[key("host")] = &state;
  state.home = home_;
  state.guard();
  const std::uint64_t start = std::max(node->start_tick(), not_before_tick);
  const std::uint64_t until = node->until_tick();
  state.adopt(start, until, std::move(node), execution);
  return state;
}

State& HostNodeProvider::open() const {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  const std::lock_guard lock(table.opening());
  State& state = open_in_turn(table, 0, execution);
  state.join();
  return state;
}

State* HostNodeProvider::reopen(State& old) {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  const std::unique_lock lock(table.opening(), std::try_to_lock);
  if (!lock) return nullptr;
  State& state = open_in_turn(table, old.first_free_tick(), execution);
  state.join();
  return &state;
}

GeneratorState HostNodeProvider::after_fork() const noexcept { return {GeneratorState::Name::starting, std::nullopt}; }

}  // namespace polyflake
