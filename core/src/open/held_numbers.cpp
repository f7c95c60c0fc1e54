#include "open/held_numbers.hpp"

#include <polyflake/date_numbers.hpp>
#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "count/ceiling.hpp"
#include "lease/record.hpp"
#include "os/os.hpp"

namespace polyflake::count {
namespace {

Settings settings_of(const CounterUse& use, const std::optional<Word>& uuid, ZonePeriods& periods) {
  Settings settings;
  settings.counter = use.options.name;
  settings.shape = use.shape;
  if (use.shape.kind == "date") settings.period_of = periods.of(use.shape);
  settings.timeout_ms = use.options.timeout_ms;
  settings.uuid = uuid;
  if (use.options.label) settings.label = platform::owner_label();
  return settings;
}

std::uint64_t scale_of(const Shape& shape) {
  return shape.kind == "date" ? DateNumbers(shape.period, shape.digits).top() + 1 : 0;
}

AdaptiveStep step_of(const SegmentOptions& options) {
  return AdaptiveStep({options.hold_ms, options.min_step, options.max_step}, options.step);
}

}  // namespace

HeldNumbers::HeldNumbers(const CounterUse& use, const std::optional<Word>& uuid, std::string shown)
    : counter_(use.options.name),
      shown_(std::move(shown)),
      opened_ms_(lease::system_time().mono_ms),
      scale_(scale_of(use.shape)),
      names_zone_(is_zone_name(use.shape.zone)),
      machine_(settings_of(use, uuid, periods_), random_),
      supply_(step_of(use.options), opened_ms_),
      word_(supply_.word()) {}

// --- the runner ----------------------------------------------------------------------------------

Action HeldNumbers::next() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto offset = periods_.next()) return *offset;
  Action action = machine_.poll(lease::system_time());
  asked_ = action.kind;
  asked_ms_ = lease::system_time().mono_ms;
  return action;
}

void HeldNumbers::follow(const Action& event) {
  if (event.kind == Action::Kind::granted) {
    hold(event.numbers);
    wanted_ = 0;
    begin_round();
    // Calls that began to wait while the request was under way share the next one.
    if (waiting_ > supply_.held()) ask();
    return;
  }
  ++jumps_;
  report_ = "counter '" + counter_ + "': the store may have lost numbers that were given out, so " +
            std::to_string(event.numbers.first) + " to " + std::to_string(event.numbers.end - 1) + " are left out";
}

void HeldNumbers::begin_round() {
  ++round_;
  round_began_.notify_all();
}

void HeldNumbers::hold(const Numbers& numbers) {
  const bool other_period = numbers.period_label != label_;
  if (other_period) supply_.drop();
  label_ = numbers.period_label;
  // By the newest reading of the store's clock, which may have been set since the one before.
  over_ms_.store(numbers.drop_at_ms, std::memory_order_relaxed);
  const std::uint64_t begin = label_ * scale_;
  supply_.add({begin + numbers.first, begin + numbers.end});
}

void HeldNumbers::drop_if_over() {
  if (!may_be_over()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  drop_now_if_over();
}

void HeldNumbers::drop_now_if_over() {
  const std::int64_t over_ms = over_ms_.load(std::memory_order_relaxed);
  if (over_ms != INT64_MAX && lease::system_time().mono_ms >= over_ms) supply_.drop();
}

// Returns the count of a number in the period of what is held last; 0 if it is of an earlier one.
std::uint64_t HeldNumbers::count_of(std::uint64_t number) const {
  const std::uint64_t begin = label_ * scale_;
  return number < begin ? 0 : number - begin;
}

// Called in the same moment as the answer: else a caller that looks in between asks for the numbers
// a second time.
void HeldNumbers::take_events() {
  while (machine_.has_events()) follow(machine_.poll(lease::system_time()));
}

void HeldNumbers::deliver(std::uint64_t number, const Contents& contents) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (names_zone_ && periods_.hold_back(number, contents)) return;
  machine_.deliver(number, contents, lease::system_time());
  take_events();
}

void HeldNumbers::deliver_offset(std::optional<std::int64_t> offset_ms) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto read = periods_.know(offset_ms);
  if (!read) return;
  machine_.deliver(read->number, read->contents, lease::system_time());
  take_events();
}

void HeldNumbers::deliver(std::uint64_t number, const Answer& answer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const lease::Time now = lease::system_time();
  machine_.deliver(number, answer, now);
  take_events();
  if (asked_ == Action::Kind::add) last_fetch_ms_ = now.mono_ms - asked_ms_;
}

void HeldNumbers::deliver_nothing(std::uint64_t number, const std::string& reason) {
  const std::lock_guard<std::mutex> lock(mutex_);
  machine_.deliver_nothing(number, reason, lease::system_time());
  take_events();
}

// --- callers -------------------------------------------------------------------------------------

bool HeldNumbers::serve() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return serve_now();
}

bool HeldNumbers::serve_now(std::uint64_t number) {
  if (closed_) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
  drop_now_if_over();
  const bool served = supply_.serve() || word_.holds(number);
  // While the store does not answer a call waits for it; nothing else is mended by waiting.
  const auto failure = served ? std::nullopt : named_failure();
  if (!served && failure && failure->code != ErrorCode::store_unavailable) refuse(*failure);
  if (served) ask();
  return served;
}

// Refuses a call, and with it all that wait: none of them leaves a wish behind, which would take
// numbers that no call wants. The counter is looked at again, since it may have gone on.
void HeldNumbers::refuse(const lease::Failure& failure) {
  wanted_ = 0;
  begin_round();
  machine_.look();
  wake_ = true;
  throw Error(failure.code, failure.message);
}

bool HeldNumbers::serve_or_wait(std::uint64_t numbers, std::optional<std::uint64_t>& waits_since,
                                std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (serve_now(number)) return true;
  if (waits_since == round_) return false;
  waits_since = round_;
  wanted_ += numbers;
  ask();
  return false;
}

bool HeldNumbers::serve_or_want(std::uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (serve_now(number)) return true;
  if (due() == 0) wanted_ = 1;
  ask();
  return false;
}

void HeldNumbers::stop_waiting(std::uint64_t numbers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  wanted_ -= std::min(wanted_, numbers);
  machine_.still_waiting(due());
}

std::optional<std::uint64_t> HeldNumbers::take_or_note(WaitingCall& call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  do {
    drop_now_if_over();
    const Range::Numbers taken = word_.take_some(1);
    if (taken.count == 0) continue;
    remove(call);
    return taken.first;
  } while (serve_now());
  if (call.noted_by != this) ++waiting_;
  call = {this, round_};
  ask();
  return std::nullopt;
}

// A call that began before a fork is noted by the object of the original alone.
void HeldNumbers::remove(WaitingCall& call) {
  if (std::exchange(call, {}).noted_by == this) --waiting_;
}

void HeldNumbers::await(const WaitingCall& call, std::chrono::nanoseconds most) {
  std::unique_lock<std::mutex> lock(mutex_);
  round_began_.wait_for(lock, most, [&] { return round_ != call.round; });
}

void HeldNumbers::forget(WaitingCall& call) {
  if (call.noted_by != this) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  remove(call);
  machine_.still_waiting(due());
}

// Returns how many numbers callers still need that are not there.
std::uint64_t HeldNumbers::due() const {
  const std::uint64_t held = supply_.held();
  return wanted_ + (waiting_ > held ? waiting_ - held : 0);
}

void HeldNumbers::ask() {
  const std::uint64_t numbers = due();
  const auto step = supply_.due_step(numbers, lease::system_time().mono_ms);
  if (!step) return;
  machine_.take(*step, numbers);
  wake_ = true;
}

bool HeldNumbers::is_open() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return machine_.record().has_value();
}

std::optional<lease::Failure> HeldNumbers::failure() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return named_failure();
}

std::optional<lease::Failure> HeldNumbers::named_failure() const {
  auto failure = machine_.failure();
  if (failure && !shown_.empty()) failure->message.insert(0, shown_ + ": ");
  return failure;
}

bool HeldNumbers::take_wake() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(wake_, false);
}

std::optional<std::string> HeldNumbers::take_report() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(report_, std::nullopt);
}

void HeldNumbers::close() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (std::exchange(closed_, true)) return;
  machine_.close(count_of(word_.freeze()));
  wake_ = true;
}

Stats HeldNumbers::stats() const {
  constexpr double kMsPerYear = 365.2425 * 86'400'000;
  const std::lock_guard<std::mutex> lock(mutex_);
  Stats stats{};
  stats.issued = supply_.used();
  stats.store_failures = machine_.failures();
  stats.held = supply_.held();
  stats.step = supply_.step();
  stats.fetches = supply_.fetches();
  stats.last_fetch_ms = last_fetch_ms_;
  stats.jumps = jumps_;
  // A date has those that are left in its period.
  if (const auto& record = machine_.record()) stats.left = room_to_top(*record) + stats.held;
  if (stats.issued > 0 && scale_ == 0) {
    const auto open_ms = static_cast<double>(std::max<std::int64_t>(lease::system_time().mono_ms - opened_ms_, 1));
    stats.years_left = static_cast<double>(stats.left) * open_ms / static_cast<double>(stats.issued) / kMsPerYear;
  }
  return stats;
}

std::string HeldNumbers::namespace_uuid() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return machine_.record() ? lease::to_text(machine_.uuid()) : "";
}

}  // namespace polyflake::count
