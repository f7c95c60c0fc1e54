#include "open/held_numbers.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <utility>

#include "count/ceiling.hpp"
#include "lease/record.hpp"
#include "os/os.hpp"

namespace polyflake::count {
namespace {

Settings settings_of(const SegmentOptions& options, const std::optional<Word>& uuid) {
  Settings settings;
  settings.counter = options.name;
  settings.timeout_ms = options.timeout_ms;
  settings.uuid = uuid;
  if (options.label) settings.label = platform::owner_label();
  return settings;
}

AdaptiveStep step_of(const SegmentOptions& options) {
  return AdaptiveStep({options.hold_ms, options.min_step, options.max_step}, options.step);
}

}  // namespace

HeldNumbers::HeldNumbers(const SegmentOptions& options, const std::optional<Word>& uuid, std::string shown)
    : counter_(options.name),
      shown_(std::move(shown)),
      opened_ms_(lease::system_time().mono_ms),
      machine_(settings_of(options, uuid), random_),
      supply_(step_of(options), opened_ms_),
      word_(supply_.word()) {}

// --- the runner ----------------------------------------------------------------------------------

Action HeldNumbers::next() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Action action = machine_.poll(lease::system_time());
  asked_ = action.kind;
  asked_ms_ = lease::system_time().mono_ms;
  return action;
}

void HeldNumbers::follow(const Action& event) {
  if (event.kind == Action::Kind::granted) {
    supply_.add(event.numbers);
    waiting_ = 0;
    return;
  }
  ++jumps_;
  report_ = "counter '" + counter_ + "': the store may have lost numbers that were given out, so " +
            std::to_string(event.numbers.first) + " to " + std::to_string(event.numbers.end - 1) + " are left out";
}

// Called in the same moment as the answer: else a caller that looks in between asks for the numbers
// a second time.
void HeldNumbers::take_events() {
  while (machine_.has_events()) follow(machine_.poll(lease::system_time()));
}

void HeldNumbers::deliver(std::uint64_t number, const Contents& contents) {
  const std::lock_guard<std::mutex> lock(mutex_);
  machine_.deliver(number, contents, lease::system_time());
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

bool HeldNumbers::serve_now() {
  if (closed_) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
  const bool served = supply_.serve();
  // While the store does not answer a call waits for it; nothing else is mended by waiting.
  const auto failure = served ? std::nullopt : named_failure();
  if (!served && failure && failure->code != ErrorCode::store_unavailable) throw Error(failure->code, failure->message);
  if (served) ask();
  return served;
}

bool HeldNumbers::serve_or_wait(std::uint64_t numbers, std::optional<std::uint64_t>& waits_since) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (serve_now()) return true;
  if (waits_since == supply_.fetches()) return false;
  waits_since = supply_.fetches();
  waiting_ += numbers;
  ask();
  return false;
}

bool HeldNumbers::serve_or_want() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (serve_now()) return true;
  waiting_ = std::max<std::uint64_t>(waiting_, 1);
  ask();
  return false;
}

void HeldNumbers::stop_waiting(std::uint64_t numbers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waiting_ -= std::min(waiting_, numbers);
}

void HeldNumbers::ask() {
  const auto step = supply_.due_step(waiting_, lease::system_time().mono_ms);
  if (!step) return;
  machine_.take(*step, waiting_);
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
  machine_.close(word_.freeze());
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
  if (const auto& record = machine_.record()) stats.left = room_to_top(*record) + stats.held;
  if (stats.issued > 0) {
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
