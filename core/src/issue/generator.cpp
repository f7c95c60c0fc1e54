#include <polyflake/generator.hpp>

#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <algorithm>
#include <string>

#include "issue/issuing.hpp"
#include "issue/node_provider.hpp"
#include "issue/node_table.hpp"
#include "issue/reservation.hpp"

namespace polyflake {
namespace {

std::atomic<Node*> g_closed_node{nullptr};

}  // namespace

Node& closed_node() { return *g_closed_node.load(std::memory_order_acquire); }

// Reads the generator, not the node that was opened last: that is set a moment later, and a signal
// handler may ask in between.
const Node& OpenedWith::node(const Generator& generator) {
  const Node* const node = generator.node_.load(std::memory_order_acquire);
  return node == &closed_node() ? *generator.opened_.load(std::memory_order_acquire) : *node;
}

void refuse_closed() { throw Error(ErrorCode::generator_closed, "this generator was closed; open a new one"); }

const char* name_of(GeneratorState::Name name) noexcept {
  switch (name) {
    case GeneratorState::Name::starting: return "starting";
    case GeneratorState::Name::open: return "open";
    case GeneratorState::Name::waiting: return "waiting";
    case GeneratorState::Name::lost: return "lost";
    case GeneratorState::Name::closed: return "closed";
  }
  return "";
}

Generator::Generator(const Options& options, std::unique_ptr<NodeProvider> provider)
    : layout_(options.layout), pace_(options), clock_(options.clock), provider_(std::move(provider)) {
  prepare_closing();
  start_with(provider_->open());
}

Generator OpenedWith::provider(const Options& options, std::unique_ptr<NodeProvider> provider) {
  return Generator(options, std::move(provider));
}

Generator::~Generator() { close(); }

std::optional<std::uint64_t> Generator::try_next_id() {
  const std::int64_t id = Claims(*this).try_claim();
  if (id < 0) return std::nullopt;
  return static_cast<std::uint64_t>(id);
}

void Generator::prepare_closing() {
  if (g_closed_node.load(std::memory_order_acquire) != nullptr) return;
  auto made = std::make_unique<Node>("polyflake", 0);
  made->adopt(0, 0, nullptr);
  Node* expected = nullptr;
  if (g_closed_node.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) made.release();
}

void Generator::start_with(Node& node) {
  opened_.store(&node, std::memory_order_release);
  node_.store(&node, std::memory_order_release);
}

void Generator::close() noexcept {
  // Nothing here allocates: the constructor has already made the closed node.
  Node* const former = node_.exchange(&closed_node(), std::memory_order_acq_rel);
  if (former != &closed_node() && former != nullptr) former->leave();
  if (provider_ != nullptr) provider_->close();
}

bool Generator::closed() const noexcept { return node_.load(std::memory_order_acquire) == &closed_node(); }

std::string Generator::next_id_string() { return to_text(next_id()); }

GeneratorState Generator::state() const noexcept {
  using Name = GeneratorState::Name;
  const Node& node = *node_.load(std::memory_order_acquire);
  if (&node == &closed_node()) return {Name::closed, ErrorCode::generator_closed};
  if (node.usable()) return state_of(node);
  const bool copied = !node.grant()->of_this_execution();
  const NodeTable* const table = NodeTable::existing();
  if (!copied && table != nullptr && table->closed()) return {Name::closed, ErrorCode::generator_closed};
  if (const Node* const next = provider_->successor()) return state_of(*next);
  return copied ? provider_->after_fork() : provider_->after_loss();
}

GeneratorState Generator::state_of(const Node& node) const noexcept {
  using Name = GeneratorState::Name;
  const Grant& grant = *node.grant();
  const std::uint64_t last = grant.last.load(std::memory_order_relaxed);
  const std::int64_t now = node.now();
  if (now < 0) return {Name::waiting, ErrorCode::clock_before_epoch};
  const std::uint64_t now_tick = static_cast<std::uint64_t>(now);
  const bool replaced = last >= Grant::kFrozen;  // at this moment
  const std::uint64_t tick = replaced ? now_tick : std::max(now_tick, node.tick_of(last + 1));
  if (tick >= layout_.end_tick()) return {Name::lost, ErrorCode::time_exhausted};
  if (replaced) return {Name::open, std::nullopt};
  const bool begins_later = now_tick < node.tick_of(last);
  const auto ahead = begins_later ? static_cast<std::int64_t>(node.tick_of(last + 1) - now_tick) : 0;
  const bool soon = begins_later && begins_soon(pace_, node, grant, last, now_tick);
  if (soon && awaits_lease(grant, last)) return {Name::starting, std::nullopt};
  if (tick >= grant.until.load(std::memory_order_acquire)) {
    if (const auto why = provider_->withheld_by()) return {Name::waiting, why};
  }
  if (ahead <= pace_.lead_ticks) return {Name::open, std::nullopt};
  if (soon) return {Name::starting, std::nullopt};
  if (ahead <= pace_.lead_ticks + pace_.wait_ticks) return {Name::open, std::nullopt};
  return {Name::waiting, ErrorCode::clock_behind};
}

std::uint64_t Generator::worker() const { return opened_.load(std::memory_order_acquire)->id(); }

}  // namespace polyflake
