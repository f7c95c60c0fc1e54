#include "open/host_node.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/ascii.hpp"
#include "host/folder_mark.hpp"
#include "host/registry.hpp"
#include "issue/current_tick.hpp"
#include "issue/node_provider.hpp"
#include "open/container_layer.hpp"
#include "open/manual_node.hpp"
#include "open/node_id.hpp"
#include "open/node_request.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

// A node id of the host registry: any, or a given one.
class HostNodeProvider final : public NodeProvider {
 public:
  HostNodeProvider(const Layout& layout, std::optional<std::uint64_t> number, bool chosen, std::string home)
      : layout_(layout), number_(number), chosen_(chosen), home_(std::move(home)) {}

  // Blocks: I/O, and waits for another opening of this process.
  // Errors: worker_in_use, no_worker_free, registry_unusable, clock_before_epoch, time_exhausted.
  Node& open() override;
  Node* reopen(Node& old) override;
  GeneratorState after_fork() const noexcept override;

  // The same, but the caller joins the node itself.
  Node& open_in_turn(NodeTable& table, std::uint64_t not_before_tick, std::uint64_t execution) const
      POLYFLAKE_REQUIRES(table.opening);

 private:
  std::string key(const std::string& what) const;
  Node* held_in(NodeTable& table) const POLYFLAKE_REQUIRES(table.opening);
  bool is_elsewhere(const Node& node) const;
  bool is_taken(NodeTable& table, std::uint64_t id) const;
  void refuse_elsewhere(const Node* node) const;
  [[noreturn]] void refuse_other_copy(std::uint64_t id) const;
  std::unique_ptr<HostReservation> acquire(NodeTable& table, HostRegistry& registry) const
      POLYFLAKE_REQUIRES(table.opening);
  std::unique_ptr<HostReservation> acquire_any(NodeTable& table, HostRegistry& registry) const
      POLYFLAKE_REQUIRES(table.opening);

  const Layout layout_;
  const std::optional<std::uint64_t> number_;  // nothing: any
  const bool chosen_;
  const std::string home_;  // the folder that it is opened in, and keeps
};

// Returns the key of a node in the table: the folder it came from and the request.
std::string HostNodeProvider::key(const std::string& what) const { return home_ + '\n' + layout_.text() + '\n' + what; }

Node* HostNodeProvider::held_in(NodeTable& table) const {
  const auto held = table.held.find(key(number_ ? std::to_string(*number_) : "host"));
  // Skips a node that another folder guards by now.
  if (held == table.held.end() || is_elsewhere(*held->second)) return nullptr;
  return held->second->usable() ? held->second : nullptr;
}

// A node has one lock. Generators of this process that were opened there continue under that
// folder's.
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
                  polyflake::quoted_path(node->guard()) + "; set POLYFLAKE_HOME once, before the first generator");
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
  if (!number_) return acquire_any(table, registry);
  const std::uint64_t id = *number_;
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
  table.refuse_when_closed();
  // Refuses a clock at which nothing can be issued, before anything is written.
  current_tick(layout_, SystemClock::read_ms());
  HostRegistry registry(home_, layout_);
  auto reservation = acquire(table, registry);
  Node& node = table.find_or_add(layout_, reservation->id());
  // All that can fail comes before adopt(): a failure gives the node id back.
  table.held[key(std::to_string(node.id()))] = &node;
  if (!number_) table.held[key("host")] = &node;
  node.guard_by(home_);
  const std::uint64_t start = std::max(reservation->start_tick(), not_before_tick);
  const std::uint64_t until = reservation->until_tick();
  node.adopt(start, until, std::move(reservation), execution);
  node.skip_to(not_before_tick);  // remembered in case the node id is lost before it issues
  return node;
}

Node& HostNodeProvider::open() {
  const platform::Uncancelled uncancelled;
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  const InTurn lock(table.opening);
  Node& node = open_in_turn(table, 0, execution);
  node.join();
  if (!chosen_) look_for_container_layer(home_);
  return node;
}

Node* HostNodeProvider::reopen(Node& old) {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  if (!table.opening.try_lock()) return nullptr;
  const InTurn lock(table.opening, InTurn::AlreadyLocked{});
  Node& node = open_in_turn(table, old.first_free_tick(), execution);
  node.join();
  return &node;
}

GeneratorState HostNodeProvider::after_fork() const noexcept { return {GeneratorState::Name::starting, std::nullopt}; }

// LanguageRunner apart from reservations by real clocks: simulated time must not take their node ids out of
// use.
std::unique_ptr<NodeProvider> make_on_manual_clock(const NodeRequest& request, std::optional<std::uint64_t> number) {
  const platform::Uncancelled uncancelled;
  const std::uint64_t execution = Execution::current();
  NodeTable::current();  // so that a copy of the process has closed what it inherited
  current_tick(request.layout, request.clock->now_ms());
  const std::string home = HostRegistry::default_home(), own_home = platform::inside(home, "manual-clock");
  FolderMark::note_before_making(own_home, home);
  HostRegistry registry(own_home, request.layout, request.clock);
  auto reservation = number ? registry.acquire(*number) : registry.acquire([](std::uint64_t) { return false; });
  auto node = std::make_unique<Node>(request.layout, reservation->id(), request.clock);
  const std::uint64_t start = reservation->start_tick(), until = reservation->until_tick();
  node->adopt(start, until, std::move(reservation), execution);
  return std::make_unique<ManualNodeProvider>(std::move(node));
}

// Ids cannot run further ahead than windows are reserved.
void check_lead(const NodeRequest& request) {
  const Layout& layout = request.layout;
  const auto most = static_cast<std::int64_t>(HostReservation::window_ticks(layout)) - 2;
  if (request.lead_ticks <= most) return;
  throw Error(ErrorCode::option_invalid, "with a \"host\" worker ids may run at most " +
                                             std::to_string(most * layout.tick_ms()) + " ms ahead of the clock, not " +
                                             std::to_string(request.lead_ticks * layout.tick_ms()) +
                                             "; a larger max_lead_ms needs a static number as worker");
}

std::unique_ptr<NodeProvider> make_host_node(const NodeRequest& request, std::optional<std::uint64_t> number) {
  check_lead(request);
  if (request.clock != nullptr) return make_on_manual_clock(request, number);
  return std::make_unique<HostNodeProvider>(request.layout, number, request.chosen, HostRegistry::default_home());
}

}  // namespace

void reopen_guarded(Node& node, NodeTable& table, std::uint64_t execution) {
  constexpr bool kChosen = true;
  HostNodeProvider(node.layout(), node.id(), kChosen, node.guard())
      .open_in_turn(table, node.first_free_tick(), execution);
}

// "host"
std::unique_ptr<NodeProvider> make_any_host_node(const NodeRequest& request, std::string_view) {
  return make_host_node(request, std::nullopt);
}

// "host:N"
std::unique_ptr<NodeProvider> make_numbered_host_node(const NodeRequest& request, std::string_view rest) {
  if (const auto number = ascii::decimal(rest))
    return make_host_node(request, checked_node_id(request.layout, *number));
  throw Error(ErrorCode::worker_source_invalid,
              "after \"host:\" stands a node id in canonical decimal, e.g. \"host:7\", not " + polyflake::quoted(rest));
}

}  // namespace polyflake
