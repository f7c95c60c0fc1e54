#include "facade/counter.hpp"

#include <polyflake/error.hpp>
#include <polyflake/segment.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "count/counter_options.hpp"
#include "count/memory_stores.hpp"
#include "count/task.hpp"
#include "facade/session_state.hpp"
#include "kinds/kind.hpp"
#include "lease/record.hpp"
#include "open/counter.hpp"

namespace polyflake::facade {
namespace {

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
