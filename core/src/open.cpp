// How Options become an open generator: checks, the worker source, the state.
//
// This is the top floor of the core: it knows generators and the registry, which do not know each other.
#include <polyflake/generator.hpp>
#include <polyflake/registry.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ascii.hpp"
#include "platform.hpp"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace polyflake {
namespace {

constexpr std::int64_t kLongestMs = INT32_MAX;

[[noreturn]] void refuse_option(const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
  throw Error(ErrorCode::option_invalid, std::string(name) + " is " + std::to_string(value) + "; it may be " +
                                             std::to_string(least) + " to " + std::to_string(most));
}

std::int64_t checked_ms(const char* name, std::int64_t ms) {
  if (ms < 0 || ms > kLongestMs) refuse_option(name, ms, 0, kLongestMs);
  return ms;
}

std::uint64_t checked_spread(const Options& options) {
  const auto capacity = static_cast<std::int64_t>(ones(options.layout.sequence().width) + 1);
  const std::int64_t most = std::max<std::int64_t>(capacity / 8, 1);
  const std::int64_t spread = options.sequence_spread.value_or(most);
  if (spread < 1 || spread > most) refuse_option("sequence_spread", spread, 1, most);
  return static_cast<std::uint64_t>(spread);
}

// Generated ids stay below 2^63. Where the timestamp has the top bit, its last tick sees to that.
void check_generates(const Layout& layout) {
  constexpr std::int64_t kLongestTickMs = std::int64_t{1} << 48;
  if (layout.tick_ms() > kLongestTickMs) {
    throw Error(ErrorCode::layout_too_wide, "layout '" + layout.text() + "' has ticks of more than 8900 years: it can be "
                                                "decoded, but nobody would live to see its second id");
  }
  const Field& sequence = layout.sequence();
  if (sequence.shift + sequence.width < 64) return;
  throw Error(ErrorCode::layout_too_wide, "layout '" + layout.text() +
                                              "' puts the sequence into the sign bit: it can be decoded, but generated "
                                              "ids must stay below 2^63");
}

std::uint64_t checked_node(const Layout& layout, std::uint64_t node) {
  layout.node_bits(node);  // refuses what has no place at all
  if (node > layout.largest_node()) {
    throw Error(ErrorCode::field_out_of_range,
                "node id " + std::to_string(node) + " sets the sign bit; generated ids must stay below 2^63");
  }
  return node;
}

std::uint64_t node_from_number(const Layout& layout, std::int64_t number) {
  if (number >= 0) return checked_node(layout, static_cast<std::uint64_t>(number));
  throw Error(ErrorCode::field_out_of_range, "node id " + std::to_string(number) + " is negative; it may be 0 to " +
                                                 std::to_string(ones(layout.node_width())));
}

std::uint64_t node_from_fields(const Layout& layout, const Worker::Fields& fields) {
  std::uint64_t node = 0;
  for (const auto& [name, value] : fields) node |= layout.node_with(name, value);
  for (const Field& field : layout.node_fields()) {
    if (fields.count(field.name) == 0) {
      throw Error(ErrorCode::worker_source_invalid, "worker names no value for node field '" + field.name +
                                                        "'; give one for each, or one node id");
    }
  }
  return checked_node(layout, node);
}

std::uint64_t node_from_ordinal(const Layout& layout) {
  const char* const base_text = std::getenv("POLYFLAKE_ORDINAL_BASE");
  const auto base = base_text == nullptr ? std::optional<std::uint64_t>(0) : ascii::decimal(base_text);
  if (!base) {
    throw Error(ErrorCode::worker_source_invalid,
                "POLYFLAKE_ORDINAL_BASE is " + quoted(base_text) + "; it must be a number in canonical decimal");
  }
  return checked_node(layout, ordinal_of(platform::host_name(), *base));
}

// A source with its number, if any, checked: what remains is number, host or host_number.
WorkerSource resolve(const Worker& worker, const Layout& layout) {
  using Kind = WorkerSource::Kind;
  if (const auto* number = std::get_if<std::int64_t>(&worker.value())) {
    return {Kind::number, node_from_number(layout, *number)};
  }
  if (const auto* fields = std::get_if<Worker::Fields>(&worker.value())) {
    return {Kind::number, node_from_fields(layout, *fields)};
  }
  if (const auto* text = std::get_if<std::string>(&worker.value())) {
    const WorkerSource source = parse_worker_source(*text);
    if (source.kind == Kind::ordinal) return {Kind::number, node_from_ordinal(layout)};
    if (source.kind == Kind::host_number) checked_node(layout, source.number);
    return source;
  }
  const char* const environment = std::getenv("POLYFLAKE_WORKER");
  return resolve(environment == nullptr ? Worker("host") : parse_worker_environment(environment), layout);
}

// At exit node ids have been given back: nothing may be stamped under them, nor new ones taken.
void refuse_when_exiting(const StateTable& table) {
  if (table.exiting.load(std::memory_order_acquire)) {
    throw Error(ErrorCode::generator_closed, "the process is exiting; its generators are closed");
  }
}

std::int64_t start_ms_of(const State& state) { return state.layout().time_of(state.tick_of(state.grant()->begin)); }

// Nanoseconds until a window begins that was taken just now: a static number's begins after the present tick, a
// host's after a killed holder or on the first use of a node id. 0 also when it begins much later, since the clock
// was set back or ticks are long: next_id() waits, or says so.
std::int64_t ns_to_start(const State& state) {
  const Layout& layout = state.layout();
  constexpr std::int64_t kLongestStartMs = 10'000;
  const std::int64_t soon_ms = std::min(HostRegistry::window_ms(layout) + layout.tick_ms(), kLongestStartMs);
  const bool soon = start_ms_of(state) - state.clock().now_ms() <= soon_ms;
  return soon ? state.clock().ns_until(start_ms_of(state)) : 0;
}

// A clock that stands still is not waited for twice as long as it should have taken.
bool waited_in_vain(std::int64_t expected_ns, std::int64_t waited_ns) {
  constexpr std::int64_t kAllowanceNs = 100'000'000;  // for machines that wake sleepers late
  return waited_ns > 2 * expected_ns + kAllowanceNs;
}

void wait_for_start(const State& state) {
  const std::int64_t expected_ns = ns_to_start(state);
  std::int64_t waited_ns = 0;
  while (const std::int64_t ns = ns_to_start(state)) {
    if (waited_in_vain(expected_ns, waited_ns)) return;
    waited_ns += sleep_ns(ns);
  }
}

// --- static node ids -----------------------------------------------------------------------------

class StaticSource final : public StateSource {
 public:
  StaticSource(const Layout& layout, std::uint64_t node) : layout_(layout), node_(node) {}

  State& open() const {
    const std::uint64_t incarnation = Incarnation::current();
    StateTable& table = StateTable::current();
    if (table.in_use_by_an_ancestor(layout_, node_)) refuse_forked();
    State& state = table.find_or_add(layout_, node_);
    if (!usable(state)) make_usable(state, table, incarnation);
    state.join();
    return state;
  }

  State& reopen(State& old) override {
    if (!old.grant()->ours()) refuse_forked();
    State& state = open();
    wait_for_start(state);
    return state;
  }

 private:
  void make_usable(State& state, StateTable& table, std::uint64_t incarnation) const {
    const std::lock_guard lock(table.opening());
    if (usable(state)) return;
    refuse_when_exiting(table);
    // From the next tick on: a process that had this number a moment ago may have stamped in the present one.
    state.adopt(present_tick(layout_, SystemClock::read_ms()) + 1, layout_.end_tick(), nullptr,
                incarnation);
  }

  static bool usable(const State& state) { return state.grant() != nullptr && !state.lost(); }

  [[noreturn]] void refuse_forked() const {
    throw Error(ErrorCode::forked_generator, "node id " + std::to_string(node_) +
                                                 " belongs to the process this one was forked from; pass a distinct "
                                                 "worker after the fork, or use \"host\"");
  }

  const Layout layout_;
  const std::uint64_t node_;
};

// --- node ids of the host registry ---------------------------------------------------------------

void release_at_exit() {
  StateTable* const table = StateTable::existing();
  if (table == nullptr) return;  // a forked child that issued nothing: all it inherited is the parent's
  table->exiting.store(true, std::memory_order_release);
  table->for_each([](State& state) { state.release(false); });
}

void arrange_release_once() {
  static const bool arranged = [] {
    std::atexit(release_at_exit);
#if !defined(_WIN32)
    // A child that lives on must not keep its parent's locks alive.
    ::pthread_atfork(nullptr, nullptr, StateTable::abandon_inherited);
#endif
    return true;
  }();
  static_cast<void>(arranged);
}

std::unique_ptr<HostNode> take_node(HostRegistry& registry, const WorkerSource& worker, std::int64_t now_ms,
                                    const std::function<bool(std::uint64_t)>& taken) {
  return worker.kind == WorkerSource::Kind::host ? registry.acquire(now_ms, taken)
                                                 : registry.acquire(worker.number, now_ms);
}

void adopt(State& state, std::unique_ptr<HostNode> node, std::uint64_t not_before_tick, std::uint64_t incarnation) {
  const std::uint64_t start = std::max(node->start_tick(), not_before_tick);
  const std::uint64_t until = node->until_tick();
  state.adopt(start, until, std::move(node), incarnation);
}

// Ids cannot run further ahead than windows are reserved.
void check_host_lead(const Layout& layout, std::int64_t lead_ticks) {
  const auto most = static_cast<std::int64_t>(HostRegistry::window_ticks(layout)) - 2;
  if (lead_ticks <= most) return;
  throw Error(ErrorCode::option_invalid, "with a \"host\" worker ids may run at most " +
                                             std::to_string(most * layout.tick_ms()) + " ms ahead of the clock, not " +
                                             std::to_string(lead_ticks * layout.tick_ms()) +
                                             "; a larger max_lead_ms needs a static number as worker");
}

class HostSource final : public StateSource {
 public:
  HostSource(const Layout& layout, WorkerSource worker)
      : layout_(layout), worker_(worker), home_(HostRegistry::default_home()) {}

  State& open(std::uint64_t not_before_tick = 0) const {
    const std::uint64_t incarnation = Incarnation::current();
    const std::string any = key("host");
    StateTable& table = StateTable::current();
    const std::lock_guard lock(table.opening());
    const auto present = table.held.find(worker_.kind == WorkerSource::Kind::host ? any : key(std::to_string(worker_.number)));
    if (present != table.held.end() && !present->second->lost()) {
      present->second->skip_to(not_before_tick);
      present->second->join();
      return *present->second;
    }
    refuse_when_exiting(table);
    arrange_release_once();
    if (worker_.kind == WorkerSource::Kind::host_number) refuse_elsewhere(table.find(layout_, worker_.number));
    const std::int64_t now_ms = SystemClock::read_ms();
    present_tick(layout_, now_ms);  // nothing is written for a clock at which nothing can be issued
    HostRegistry registry(home_, layout_);
    auto node = take_node(registry, worker_, now_ms, [&](std::uint64_t candidate) {
      const State* const state = table.find(layout_, candidate);
      if (state == nullptr || state->grant() == nullptr) return false;
      return is_elsewhere(*state) ? state->in_use() : !state->lost();
    });
    State& state = table.find_or_add(layout_, node->node());
    adopt(state, std::move(node), not_before_tick, incarnation);
    state.home = home_;
    table.held[key(std::to_string(state.node()))] = &state;
    if (worker_.kind == WorkerSource::Kind::host) table.held[any] = &state;
    state.join();
    return state;
  }

  State& reopen(State& old) override {
    State& state = open(old.last_tick() + 1);
    wait_for_start(state);
    return state;
  }

 private:
  // What the process holds is remembered under the folder it came from and the way it was asked for.
  std::string key(const std::string& what) const { return home_ + '\n' + layout_.text() + '\n' + what; }

  // One state has one lock. Generators of this process that were opened there go on under that folder's.
  bool is_elsewhere(const State& state) const { return !state.home.empty() && state.home != home_; }

  void refuse_elsewhere(const State* state) const {
    if (state == nullptr || !is_elsewhere(*state) || !state->in_use()) return;
    throw Error(ErrorCode::worker_in_use, "node id " + std::to_string(state->node()) +
                                              " is held by this process through another registry folder, " +
                                              quoted(state->home) + "; set POLYFLAKE_HOME once, before the first generator");
  }

  const Layout layout_;
  const WorkerSource worker_;
  const std::string home_;
};

// --- generators on a clock of their own ----------------------------------------------------------

class PrivateSource final : public StateSource {
 public:
  State& reopen(State& old) override {
    if (!old.grant()->ours()) {
      throw Error(ErrorCode::forked_generator, "a generator on a manual clock stays with the process that made it");
    }
    throw Error(ErrorCode::registry_unusable, "the registry file of node id " + std::to_string(old.node()) +
                                                  " failed earlier; open a new generator");
  }
};

std::unique_ptr<State> open_private(const Layout& layout, const WorkerSource& worker, Clock& clock) {
  if (worker.kind == WorkerSource::Kind::number) {
    auto state = std::make_unique<State>(layout, worker.number, &clock);
    state->adopt(0, layout.end_tick(), nullptr);
    return state;
  }
  const std::uint64_t incarnation = Incarnation::current();
  const std::int64_t now_ms = clock.now_ms();
  present_tick(layout, now_ms);
  // Apart from what real clocks reserved: made-up time must not take their node ids out of use.
  HostRegistry registry(HostRegistry::default_home() + "/manual-clock", layout);
  auto node = take_node(registry, worker, now_ms, [](std::uint64_t) { return false; });
  auto state = std::make_unique<State>(layout, node->node(), &clock);
  adopt(*state, std::move(node), 0, incarnation);
  if (ns_to_start(*state) > 0) clock.advance_to(start_ms_of(*state));
  return state;
}

}  // namespace

namespace {

// Once a process. POLYFLAKE_TICK_CACHE=off keeps to the plain clock.
void choose_clock_reading() {
  static const bool chosen = [] {
    const char* const setting = std::getenv("POLYFLAKE_TICK_CACHE");
    if ((setting == nullptr || std::string_view(setting) != "off") && platform::tsc_keeps_time()) TickCache::enable();
    return true;
  }();
  static_cast<void>(chosen);
}

}  // namespace

template <class Source, class Argument>
std::unique_ptr<StateSource> Generator::open_shared(const Argument& argument) {
  auto source = std::make_unique<Source>(layout_, argument);
  start_with(source->open());
  return source;
}

Generator::Generator(Options options)
    : layout_(options.layout),
      clock_(options.clock),
      spread_(checked_spread(options)),
      ordering_(options.ordering),
      lead_ticks_(checked_ms("max_lead_ms", options.max_lead_ms) / layout_.tick_ms()),
      wait_ticks_(std::max<std::int64_t>(checked_ms("max_wait_ms", options.max_wait_ms) / layout_.tick_ms(), 1)) {
  check_generates(layout_);
  prepare_closing();
  const WorkerSource worker = resolve(options.worker, layout_);
  if (worker.kind != WorkerSource::Kind::number) check_host_lead(layout_, lead_ticks_);
  if (clock_ != nullptr) {
    private_state_ = open_private(layout_, worker, *clock_);
    source_ = std::make_unique<PrivateSource>();
    private_state_->join();
    start_with(*private_state_);
    return;
  }
  choose_clock_reading();
  present_tick(layout_, SystemClock::read_ms());  // a clock at which nothing can be issued is said now
  if (worker.kind == WorkerSource::Kind::number) {
    source_ = open_shared<StaticSource>(worker.number);
  } else {
    source_ = open_shared<HostSource>(worker);
  }
  const State& state = *opened_.load(std::memory_order_acquire);
  wait_for_start(state);
}

}  // namespace polyflake
