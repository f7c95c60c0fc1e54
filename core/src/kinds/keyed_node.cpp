#include "kinds/keyed_node.hpp"

#include <polyflake/error.hpp>

#include <string>

#include "issue/current_tick.hpp"
#include "issue/node_table.hpp"
#include "issue/reservation.hpp"
#include "kinds/entropy.hpp"
#include "kinds/held_clock.hpp"
#include "time/clock_reading.hpp"

namespace polyflake {
namespace {

void report_held(const Node& node, Stats& stats) { stats.held_ms = static_cast<HeldClock&>(node.clock()).held_ms(); }

class KeyedNodeProvider final : public NodeProvider {
 public:
  KeyedNodeProvider(const Layout& layout, const char* kind) : layout_(layout), kind_(kind) {}

  // Blocks: waits for another opening of this process. Errors: registry_unusable (no random bits),
  // generator_closed.
  Node& open() override;
  Node* reopen(Node& old) override;
  GeneratorState after_fork() const noexcept override { return {GeneratorState::Name::open, std::nullopt}; }
  void report(Stats& stats) const noexcept override;

 private:
  Node& usable_node(NodeTable& table, std::uint64_t execution) const POLYFLAKE_REQUIRES(table.opening);
  NodeTable::Space space() const { return std::string("kind ") + kind_; }

  const Layout layout_;
  const char* const kind_;
};

Node& KeyedNodeProvider::open() {
  choose_clock_reading();
  // Refuses at once a clock at which nothing can be issued.
  current_tick(layout_, SystemClock::read_ms());
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  const InTurn lock(table.opening);
  return usable_node(table, execution);
}

Node* KeyedNodeProvider::reopen(Node& /*old*/) {
  const std::uint64_t execution = Execution::current();
  NodeTable& table = NodeTable::current();
  if (!table.opening.try_lock()) return nullptr;
  const InTurn lock(table.opening, InTurn::AlreadyLocked{});
  return &usable_node(table, execution);
}

Node& KeyedNodeProvider::usable_node(NodeTable& table, std::uint64_t execution) const {
  table.refuse_when_closed();
  Node* node = table.find(layout_, 0, space());
  if (node == nullptr) {
    const Node::RandomKey random_key = {entropy::bits(), entropy::bits()};
    auto clock = std::make_unique<HeldClock>();
    node = &table.find_or_add(layout_, 0, space(), clock.get(), random_key);
    // The clock lasts as long as the node, which no other thread can have added.
    clock.release();  // NOLINT(bugprone-unused-return-value)
  }
  if (!node->usable()) node->adopt(0, layout_.end_tick(), nullptr, execution);
  node->join();
  return *node;
}

void KeyedNodeProvider::report(Stats& stats) const noexcept {
  const NodeTable* const table = NodeTable::existing();
  if (table == nullptr) return;
  if (const Node* const node = table->find(layout_, 0, space())) report_held(*node, stats);
}

class ManualKeyedNodeProvider final : public NodeProvider {
 public:
  ManualKeyedNodeProvider(const Layout& layout, Clock& clock, Node::RandomKey random_key)
      : clock_(&clock), node_(layout, 0, &clock_, random_key) {
    node_.adopt(0, layout.end_tick(), nullptr);
  }

  Node& open() override {
    node_.join();
    return node_;
  }
  Node* reopen(Node& /*old*/) override {
    throw Error(ErrorCode::forked_generator, "a source on a manual clock stays with the process that made it");
  }
  GeneratorState after_fork() const noexcept override {
    return {GeneratorState::Name::lost, ErrorCode::forked_generator};
  }
  void report(Stats& stats) const noexcept override { report_held(node_, stats); }

 private:
  HeldClock clock_;
  Node node_;
};

}  // namespace

std::unique_ptr<NodeProvider> make_keyed_node(const Layout& layout, const char* kind) {
  return std::make_unique<KeyedNodeProvider>(layout, kind);
}

std::unique_ptr<NodeProvider> make_manual_keyed_node(const Layout& layout, Clock& clock, Node::RandomKey random_key) {
  return std::make_unique<ManualKeyedNodeProvider>(layout, clock, random_key);
}

}  // namespace polyflake
