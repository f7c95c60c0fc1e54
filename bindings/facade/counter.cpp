#include "facade/counter.hpp"

#include <polyflake/error.hpp>
#include <polyflake/segment.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "count/counter_options.hpp"
#include "count/memory_stores.hpp"
#include "count/task.hpp"
#include "facade/process.hpp"
#include "facade/session_state.hpp"
#include "kinds/kind.hpp"
#include "lease/record.hpp"
#include "open/counter.hpp"

namespace polyflake::facade {
namespace {

constexpr std::int64_t kNothingYet = -1;  // ~0: see claims.hpp

using NumberMember = std::variant<std::int64_t SegmentOptions::*, std::uint64_t SegmentOptions::*,
                                  std::optional<std::uint64_t> SegmentOptions::*>;

constexpr struct {
  std::string_view name;
  NumberMember member;
} kNumberOptions[] = {{"step", &SegmentOptions::step},
                      {"hold_ms", &SegmentOptions::hold_ms},
                      {"min_step", &SegmentOptions::min_step},
                      {"max_step", &SegmentOptions::max_step},
                      {"timeout_ms", &SegmentOptions::timeout_ms}};

void set_number(SegmentOptions& options, const std::string& name, std::int64_t value) {
  for (const auto& option : kNumberOptions) {
    if (option.name != name) continue;
    if (value < 0) throw Error(ErrorCode::option_invalid, name + " cannot be negative");
    return std::visit([&](auto member) { options.*member = static_cast<std::uint64_t>(value); }, option.member);
  }
  throw Error(ErrorCode::option_invalid, "a counter has no option " + quoted(name));
}

SegmentOptions options_of(const std::string& counter, const std::vector<std::string>& names,
                          const std::vector<std::int64_t>& values) {
  SegmentOptions options;
  options.name = counter;
  for (std::size_t i = 0; i < names.size(); ++i) set_number(options, names[i], values.at(i));
  return options;
}

// A task on a counter, with the randomness that it uses.
class CounterTaskAsker final : public count::Asker {
 public:
  explicit CounterTaskAsker(std::string shown) : error_(std::move(shown)) {}

  count::Action next() override {
    count::Action action;
    error_.raise();
    if (const auto offset = periods.next()) return *offset;
    error_.keep([&] { action = task->next(lease::system_time()); });
    error_.raise();
    return action;
  }
  void deliver(std::uint64_t number, const count::Contents& contents) override {
    if (!periods.hold_back(number, contents, makes)) error_.keep([&] { task->deliver(contents); });
  }
  void deliver(std::uint64_t, const count::Answer& answer) override {
    error_.keep([&] { task->deliver(answer); });
  }
  void deliver_nothing(std::uint64_t, const std::string& reason) override {
    error_.keep([&] { task->deliver_nothing(reason); });
  }
  void deliver_offset(std::optional<std::int64_t> offset_ms) override {
    if (const auto read = periods.know(offset_ms)) error_.keep([&] { task->deliver(read->contents); });
  }
  bool makes_counter() const override { return makes.has_value(); }

  count::PeriodsOf periods_of() {
    return [this](const count::Shape& shape) { return periods.of(shape); };
  }

  lease::SystemRandom random;
  count::ZonePeriods periods;
  std::unique_ptr<count::Task> task;
  std::optional<count::Shape> makes;  // the shape of the counter that it makes

 private:
  TaskError error_;
};

}  // namespace

std::vector<std::string> counter_number_options() {
  std::vector<std::string> names;
  for (const auto& option : kNumberOptions) names.emplace_back(option.name);
  return names;
}

CounterRequests::CounterRequests(const StoreAddress& address, const std::string& placeholder_of_client,
                                 std::string counter_name, std::shared_ptr<count::Asker> who_asks)
    : State(address, placeholder_of_client), counter(std::move(counter_name)), asker(std::move(who_asks)) {
  begin();
}

std::unique_ptr<lease::Requests> CounterRequests::requests() const {
  auto dialect = count::make_dialect(kind, {name, counter, schema, placeholder});
  return dialect == nullptr ? nullptr : count::requests_of(*asker, std::move(dialect));
}

lease::Requests::Next CounterRequests::carry_out() const {
  const count::Action action = asker->next();
  const lease::Requests::Next next = count::next_of(action);
  const bool is_request =
      next.kind == lease::Requests::Next::Kind::read || next.kind == lease::Requests::Next::Kind::write;
  if (is_request) count::carry_out(action, counter, lease::memory_store(shown), *asker);
  return next;
}

// --- a counter -----------------------------------------------------------------------------------

Counter::Counter(const StoreAddress& address, const std::string& name, const std::vector<std::string>& names,
                 const std::vector<std::int64_t>& values, const std::string& placeholder)
    : StoreSession(nullptr) {
  begin(address, {options_of(name, names, values)}, placeholder);
}

Counter::Counter(const StoreAddress& address, const std::string& name, const DateNumbers& numbers,
                 const std::string& zone, const std::vector<std::string>& names,
                 const std::vector<std::int64_t>& values, const std::string& placeholder)
    : StoreSession(nullptr) {
  const auto digits = static_cast<std::uint64_t>(numbers.digits());
  begin(address, {options_of(name, names, values), {"date", numbers.period(), digits, zone}}, placeholder);
}

void Counter::begin(const StoreAddress& address, count::CounterUse use, const std::string& placeholder) {
  const lease::WantedNamespace& wanted = address.parts_->wanted;
  check_name(wanted);
  const auto uuid = wanted.options.uuid.empty() ? std::nullopt : lease::word_of(wanted.options.uuid);
  use.options.label = wanted.options.label;
  counter_ = std::make_shared<count::Counter>(use, uuid, address.shown());
  state_ = std::make_shared<CounterRequests>(address, placeholder, use.options.name, counter_);
}

bool Counter::granted() const { return of_this_execution() && counter_->held().is_open(); }

void Counter::raise_failure() const {
  const auto failure = of_this_execution() ? counter_->held().failure() : std::nullopt;
  if (failure) throw Error(failure->code, failure->message);
  throw Error(ErrorCode::store_unavailable,
              state_->shown + ": no number is held, and the store did not answer in time");
}

std::int64_t Counter::acquire_timeout_ms() const { return counter_->options().timeout_ms; }

// Short enough for a second command within the time limit of a call.
std::int64_t Counter::command_timeout_ms() const {
  constexpr std::int64_t kLongestMs = 5000;
  return std::clamp<std::int64_t>(counter_->options().timeout_ms / 2, 1, kLongestMs);
}

void Counter::release() noexcept {
  if (of_this_execution()) counter_->held().close();
}

bool Counter::of_this_execution() const { return counter_->of_this_execution(); }

void Counter::begin_anew() {
  if (of_this_execution()) return;
  begin_session();
  counter_->begin_anew();
}

std::string Counter::namespace_uuid() const { return of_this_execution() ? counter_->held().namespace_uuid() : ""; }

std::vector<std::string> Counter::take_report() {
  const auto line = of_this_execution() ? counter_->held().take_report() : std::nullopt;
  if (!line) return {};
  return {"warning", state_->shown + ": " + *line};
}

// --- its numbers ---------------------------------------------------------------------------------

CountedSource::CountedSource(const Options& options) : Source(options.kind()), counter_(options.counter_) {
  const std::string kind = options.kind().name;
  if (counter_ == nullptr || counter_->shape().kind != kind) {
    throw Error(ErrorCode::option_invalid, "kind " + quoted(kind) + " needs a store with a counter of its kind");
  }
}

void CountedSource::refuse_closed() const {
  if (closed()) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
}

Range::Numbers CountedSource::take(Claiming how, std::size_t n) {
  for (;;) {
    count::HeldNumbers& held = counter_->held();
    if (held.may_be_over() && held.of_this_execution()) held.drop_if_over();
    const Range::Numbers taken = held.word().take_some(n);
    // In a copy of the process nothing is held until its own runner has begun.
    if (taken.count != 0 || how == Claiming::now || !held.of_this_execution()) return taken;
    std::optional<std::uint64_t> waits_since;
    if (how == Claiming::slowly ? held.serve_or_wait(n, waits_since) : held.serve_or_want()) continue;
    return taken;
  }
}

bool CountedSource::claim_held(std::uint64_t& number) {
  if (closed_.load(std::memory_order_relaxed)) refuse_closed();
  count::HeldNumbers& held = counter_->held();
  if (held.may_be_over() && held.of_this_execution()) held.drop_if_over();
  const Range::Numbers taken = held.word().take_some(1);
  number = taken.first;
  return taken.count != 0;
}

std::int64_t CountedSource::claim_id(Claiming how, unsigned char* id) {
  refuse_closed();
  const Range::Numbers taken = take(how, 1);
  if (taken.count == 0) return kNothingYet;
  std::memcpy(id, &taken.first, sizeof taken.first);
  return 0;
}

IdRange CountedSource::claim_ids(unsigned char* ids, std::size_t n) {
  refuse_closed();
  if (n == 0) return {0, 0, 0, true};
  const Range::Numbers taken = take(Claiming::slowly, n);
  for (std::uint64_t i = 0; i < taken.count; ++i) {
    const std::uint64_t number = taken.first + i;
    std::memcpy(ids + i * sizeof number, &number, sizeof number);
  }
  return {taken.first, 1, static_cast<std::size_t>(taken.count), taken.count != 0};
}

bool CountedSource::take_wake() { return counter_->of_this_execution() && counter_->held().take_wake(); }

// A quarter of the time already waited: so a call is late by that at most, and a store that is away
// costs few looks.
std::int64_t CountedSource::wait_ns(std::uint64_t, std::int64_t waited_ns) {
  constexpr std::int64_t kShortestNs = 30'000, kLongestNs = 5'000'000;
  constexpr std::int64_t kAgain = -1;
  refuse_closed();
  if (counter_->of_this_execution()) {
    count::HeldNumbers& held = counter_->held();
    if (held.serve_or_want()) return kAgain;
    // This call does not know how many it waits for. Others that still wait want one at least.
    if (is_late(waited_ns)) held.stop_waiting(UINT64_MAX);
  }
  if (is_late(waited_ns)) refuse_late();
  return std::clamp(waited_ns / 4, kShortestNs, kLongestNs);
}

bool CountedSource::is_late(std::int64_t waited_ns) const {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  return waited_ns >= counter_->options().timeout_ms * kNsPerMs;
}

void CountedSource::refuse_late() const {
  if (!counter_->of_this_execution()) {
    throw Error(ErrorCode::store_unavailable, "this copy of the process has no runner for the counter");
  }
  const auto failure = counter_->held().failure();
  throw Error(ErrorCode::store_unavailable, failure ? failure->message : "the store did not answer in time");
}

// --- calls that block ----------------------------------------------------------------------------

bool CountedSource::claim_or_note(WaitingCall& call, std::int64_t waited_ns, std::uint64_t& number) {
  try {
    refuse_closed();
    // In a copy of the process nothing is held until its own runner has begun.
    count::HeldNumbers& held = counter_->held();
    const auto taken = held.of_this_execution() ? held.take_or_note(call) : std::nullopt;
    if (!taken && is_late(waited_ns)) refuse_late();
    number = taken.value_or(0);
    return taken.has_value();
  } catch (const std::exception&) {
    give_up(call);
    throw;
  }
}

std::int64_t CountedSource::await(const WaitingCall& call, std::int64_t ns) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kOfACopyNs = 1'000'000;
  const Clock::time_point began = Clock::now();
  count::HeldNumbers& held = counter_->held();
  if (call.noted_by == &held && held.of_this_execution()) held.await(call, std::chrono::nanoseconds(ns));
  else sleep_ns(std::min(ns, kOfACopyNs));
  return std::max<std::int64_t>(1, std::chrono::nanoseconds(Clock::now() - began).count());
}

void CountedSource::give_up(WaitingCall& call) {
  if (counter_->of_this_execution()) counter_->held().forget(call);
}

GeneratorState CountedSource::state() const {
  if (closed()) return {"closed", "generator_closed"};
  if (!counter_->of_this_execution()) return {"starting", ""};
  const count::HeldNumbers& held = counter_->held();
  if (held.stats().held > 0) return {"open", ""};
  const auto failure = held.failure();
  return failure ? GeneratorState{"waiting", info(failure->code).name} : GeneratorState{"open", ""};
}

polyflake::Stats CountedSource::stats() const {
  return counter_->of_this_execution() ? counter_->held().stats() : polyflake::Stats{};
}

// --- operators -----------------------------------------------------------------------------------

CounterTask CounterTask::init(const StoreAddress& address, const std::string& name, std::uint64_t after,
                              const std::vector<std::string>& names, const std::vector<std::string>& values,
                              const std::string& placeholder) {
  check_name(address.parts_->wanted);
  CounterOptions options;
  for (std::size_t i = 0; i < names.size(); ++i) count::set_option(options, names[i], values.at(i));
  auto asker = std::make_shared<CounterTaskAsker>(address.shown());
  asker->makes = count::shape_of(count::head_of(options, after));
  asker->task =
      std::make_unique<count::InitTask>(name, after, options, asker->periods_of(), count::own_label(), asker->random);
  return CounterTask(std::make_shared<CounterRequests>(address, placeholder, name, asker));
}

CounterTask CounterTask::set(const StoreAddress& address, const std::string& name, std::uint64_t after,
                             std::uint64_t period, const std::string& placeholder) {
  check_name(address.parts_->wanted);
  auto asker = std::make_shared<CounterTaskAsker>(address.shown());
  asker->task = std::make_unique<count::RaiseTask>(name, after, period == 0 ? std::nullopt : std::optional(period),
                                                   asker->periods_of(), count::own_label(), asker->random);
  return CounterTask(std::make_shared<CounterRequests>(address, placeholder, name, asker));
}

}  // namespace polyflake::facade
