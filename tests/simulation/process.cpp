#include "simulation/process.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "issue/node_provider.hpp"
#include "lease/rules.hpp"
#include "simulation/serials.hpp"

namespace polyflake::simulation {
namespace {

using lease::Action;
using lease::keeps;
using lease::Rule;

// The generator of a copy has the node that its original had.
class CopiedNodeProvider final : public NodeProvider {
 public:
  CopiedNodeProvider(Node& node, std::shared_ptr<const lease::Current> current)
      : node_(node), later_(std::move(current)) {}
  Node& open() override {
    node_.join();
    return node_;
  }
  Node* reopen(Node& old) override { return later_.reopen(old); }
  std::int64_t wait_ns(std::int64_t waited_ns, std::int64_t longest_ms) const override {
    return later_.wait_ns(waited_ns, longest_ms);
  }
  GeneratorState after_fork() const noexcept override { return later_.after_fork(); }

 private:
  Node& node_;
  lease::LeasedNodeProvider later_;
};

Options options() {
  Options options;
  options.layout = layout();
  return options;
}

std::uint64_t position_of(std::uint64_t id) { return (id >> 7) << 4 | (id & 15); }

}  // namespace

const Layout& layout() {
  static const Layout layout("timestamp:41 worker:3 sequence:4 tick=20ms epoch=2020-01-01T00:00:00.000Z");
  return layout;
}

Process::Process(int host, HostClock& clock, const std::int64_t& true_ms, Dice& dice, Outside& outside, Opening opening)
    : serial(next_serial()),
      host_(host),
      clock_(clock),
      true_ms_(true_ms),
      dice_(dice),
      outside_(outside),
      opening_(opening) {
  begin_anew();
}

Process::Process(Process& original, Outside& outside)
    : last_position(original.last_position),
      serial(next_serial()),
      host_(original.host_),
      clock_(original.clock_),
      true_ms_(original.true_ms_),
      dice_(original.dice_),
      outside_(outside),
      opening_(original.opening_) {
  copy_memory(original, original.held_->execution());
}

Process::Process(Process& copy, Outside& outside, std::uint64_t execution)
    : last_position(copy.last_position),
      serial(next_serial()),
      host_(copy.host_),
      clock_(copy.clock_),
      true_ms_(copy.true_ms_),
      dice_(copy.dice_),
      outside_(outside),
      opening_(copy.opening_),
      word_(execution) {
  copy_memory(copy, execution);
}

Process::~Process() = default;

void Process::copy_memory(Process& original, std::uint64_t execution) {
  held_ = std::make_unique<lease::HeldNodeId>(*original.held_, hooks(), execution);
  current_->store(held_.get());
  told_ = original.told_;
  if (original.generator_ == nullptr || nodes_.empty()) {
    last_position = 0;  // its next generator is another one
    return;
  }
  Node& node = *nodes_.begin()->second;
  // The original's generator may not have turned to this node yet: then it would do so now.
  if (node.grant()->last.load() < last_position) node.skip_to(node.tick_of(last_position) + 1);
  generator_.reset(
      new Generator(OpenedWith::provider(options(), std::make_unique<CopiedNodeProvider>(node, current_))));
  const Half& half = original.half_;
  if (half.node != nullptr && half.node->id() == node.id() && half.grant == half.node->grant()) {
    half_ = {&node, node.grant(), half.last, half.position, half.ours};
  }
}

lease::ProcessHooks Process::hooks() {
  return {[this](std::uint64_t id) -> Node& {
            if (adopting_ && outside_.copies_now()) {
              copied_from_ = word_.load();
              word_.store(outside_.next_execution());
            }
            return node(id);
          },
          &word_,
          [this] {
            if (word_.load() == 0) word_.store(outside_.next_execution());
            return word_.load();
          }};
}

Node& Process::node(std::uint64_t id) {
  auto& node = nodes_[id];
  if (node == nullptr) node = std::make_unique<Node>(layout(), id, &clock_);
  return *node;
}

// A runner of a process that has no window, or in a copy.
void Process::begin_anew() {
  if (word_.load() == 0) word_.store(outside_.next_execution());
  lease::Settings settings;
  settings.layout = layout().fingerprint();
  settings.capacity = opening_.capacity;
  settings.makes_namespace = opening_.makes_namespace;
  settings.window_ms = kWindowMs;
  settings.tolerance_ms = kToleranceMs;
  settings.acquire_timeout_ms = 3 * kWindowMs;
  if (held_ != nullptr) former_held_.push_back(std::move(held_));
  held_ = std::make_unique<lease::HeldNodeId>(layout(), settings, dice_, hooks(), "simulation", 0);
  current_->store(held_.get());
  told_ = {};
  stopped_ = false;
  phase_ = Phase::idle;
  inbox_.reset();
  awaited_ = 0;
  wake_mono_ = true_ms_ + dice_.between(0, kWindowMs / 20);
}

void Process::release() {
  releasing_ = true;
  held_->release();
  wake_mono_ = 0;
}

void Process::renew() {
  held_->hurry();
  wake_mono_ = 0;
}

void Process::step(bool pauses) {
  try {
    while (!gone_ && run() && (!pauses || dice_.percent(70))) {
    }
  } catch (const Error&) {  // this is a copy
    if (releasing_) {
      gone_ = true;
      return;
    }
    begin_anew();
  }
  issue();
}

// One thing of the runner; false where there is nothing to do now.
bool Process::run() {
  switch (phase_) {
    case Phase::idle:
      if (inbox_) {
        reply_ = std::move(*inbox_);
        inbox_.reset();
      } else if (awaited_ != 0 && true_ms_ >= gives_up_mono_) {
        reply_ = {};
      } else if (awaited_ != 0 || true_ms_ < wake_mono_) {
        return false;
      } else {
        phase_ = Phase::polling;
        return true;
      }
      phase_ = Phase::received;
      return true;
    case Phase::received:
      read_ = time();
      phase_ = Phase::timed;
      return true;
    case Phase::timed:
      // A reply that the network repeated is nothing to the machine.
      if (std::exchange(awaited_, 0) != 0) note_revision();
      phase_ = Phase::polling;
      if (reply_.contents) {
        held_->deliver(to_send_.number, *reply_.contents, read_);
      } else if (reply_.answer) {
        // An answer to another action is nothing to this one.
        held_->deliver(to_send_.number + 1, {lease::Outcome::ok, to_send_.cas.echo, std::nullopt}, read_);
        held_->deliver(to_send_.number, *reply_.answer, read_);
      } else {
        held_->deliver_nothing(to_send_.number, "no reply", read_);
      }
      return true;
    case Phase::polling:
      read_ = time();
      phase_ = Phase::polled;
      return true;
    case Phase::polled: return poll();
    case Phase::sending:
      awaited_ = ++asked_;
      inbox_.reset();  // the network may have repeated the last reply
      gives_up_mono_ = true_ms_ + kGiveUpMs;
      phase_ = Phase::idle;
      outside_.send(*this, awaited_, to_send_);
      return false;
  }
  return false;
}

// Compares the revision of the reply that is about to be delivered with those of before.
void Process::note_revision() {
  const bool ours = reply_.answer && reply_.answer->echo == to_send_.cas.echo;
  const auto revision = reply_.contents ? reply_.contents->revision : ours ? reply_.answer->revision : std::nullopt;
  const auto space = reply_.contents ? reply_.contents->space : std::nullopt;
  if (!revision) return;
  // No window begins below the floor, neither an operator's nor the one of settling.
  const std::int64_t stamped_ms = layout().time_of(last_position >> 4);
  const bool is_apart = space && (!space->settled || space->floor_ms > stamped_ms);
  if (is_apart || !told_.highest_revision || *revision > *told_.highest_revision) {
    told_.highest_revision = revision;
    told_.fell = false;
  } else {
    told_.fell = told_.fell || *revision < *told_.highest_revision;
  }
}

bool Process::poll() {
  adopting_ = true;
  to_send_ = held_->poll(read_);
  adopting_ = false;
  stopped_ = told_.fell;
  phase_ = Phase::idle;
  if (copied_from_ != 0) {
    // What went on here is the copy; the original has the same memory.
    original_ = std::make_unique<Process>(*this, outside_, copied_from_);
    original_->to_send_ = to_send_;
    original_->follow_action();
    copied_from_ = 0;
  }
  return follow_action();
}

bool Process::follow_action() {
  switch (to_send_.kind) {
    case Action::Kind::read:
    case Action::Kind::cas: phase_ = Phase::sending; return true;
    case Action::Kind::failed: begin_anew(); return false;
    case Action::Kind::done: gone_ = true; return false;
    default: wake_mono_ = to_send_.mono_ms; return false;
  }
}

void Process::issue() {
  if (generator_ == nullptr) {
    if (releasing_ || held_->node() == nullptr) return;
    generator_.reset(
        new Generator(OpenedWith::provider(options(), std::make_unique<lease::LeasedNodeProvider>(current_))));
  }
  if (half_.node != nullptr) {
    if (dice_.percent(40)) finish_half();
  } else if (dice_.percent(30)) {
    begin_half();
  }
  try {
    Claims claims(*generator_);
    for (std::uint64_t n = dice_.below(4); n > 0; --n) {
      const std::int64_t id = claims.try_claim();
      if (id < 0) break;
      const std::uint64_t position = position_of(static_cast<std::uint64_t>(id));
      outside_.issued(*this, static_cast<std::uint64_t>(id), position > last_position);
      last_position = std::max(last_position, position);
    }
  } catch (const Error&) {  // the clock is elsewhere
  }
}

bool Process::issues() {
  if (generator_ == nullptr) return false;
  const auto tick = static_cast<std::uint64_t>((clock_.now_ms() - layout().epoch_ms()) / layout().tick_ms());
  if (last_position >> 4 == tick) return true;  // it may have used the tick up
  try {
    return Claims(*generator_).try_claim() >= 0;
  } catch (const Error&) {
    return false;
  }
}

// As the fast path of the generator, up to the swap.
void Process::begin_half() {
  Node* const node = held_->node();
  if (node == nullptr) return;
  Grant* const grant = node->grant();
  const bool ours = grant->of_this_execution();
  const std::int64_t tick = node->now();
  if (tick < 0 || static_cast<std::uint64_t>(tick) >= grant->until.load()) return;
  const std::uint64_t last = grant->last.load();
  const std::uint64_t position = std::max(last + 1, node->first_of(static_cast<std::uint64_t>(tick)));
  if (node->tick_of(position) == static_cast<std::uint64_t>(tick)) half_ = {node, grant, last, position, ours};
}

void Process::finish_half() {
  Half half = std::exchange(half_, Half{});
  const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(half.node->now(), 0));
  if (!keeps(Rule::stamp_is_bounded)) half.position = std::max(half.last + 1, half.node->first_of(now));
  if (!keeps(Rule::positions_only_rise) && half.node->first_of(now) < half.last) {
    half.position = half.node->first_of(now);
    half.last = half.grant->last.load();
    if (half.last >= Grant::kFrozen) return;
  }
  bool taken = half.grant->take(half.last, half.position);
  if (!taken && !keeps(Rule::own_word_per_grant)) {
    const Node* const node = held_->node();
    taken = half.last == Grant::kFrozen && node != nullptr && node->usable();
  }
  if (!taken || !(keeps(Rule::copy_check_after_swap) ? half.grant->of_this_execution() : half.ours)) return;
  // It began before others that are done by now, so it is in no order with them.
  outside_.issued(*this, half.node->id_of(half.position), true);
  last_position = std::max(last_position, half.position);
}

}  // namespace polyflake::simulation
