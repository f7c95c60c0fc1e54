#include "open/segment_session.hpp"

#include <polyflake/error.hpp>

#include <exception>
#include <string>
#include <system_error>

#include "count/counter_options.hpp"
#include "open/tell_of_fork.hpp"
#include "os/os.hpp"

namespace polyflake {
namespace {

using Kind = count::Action::Kind;

constexpr std::chrono::milliseconds kClosing{500};

count::Settings settings_of(const SegmentOptions& options) {
  count::Settings settings;
  settings.counter = options.name;
  settings.timeout_ms = options.timeout_ms;
  if (options.label) settings.label = platform::owner_label();
  return settings;
}

count::AdaptiveStep step_of(const SegmentOptions& options) {
  return count::AdaptiveStep({options.hold_ms, options.min_step, options.max_step}, options.step);
}

}  // namespace

SegmentSession::SegmentSession(CounterStore& store, const SegmentOptions& options, bool in_copy)
    : store_(store),
      counter_(options.name),
      machine_(settings_of(options), random_),
      supply_(step_of(options), lease::system_time().mono_ms) {
  if (in_copy) tell_of_fork(store);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::store_unavailable, std::string("no thread can be started for the counter: ") + error.what());
  }
}

SegmentSession::~SegmentSession() { thread_.join(); }

// --- callers -------------------------------------------------------------------------------------

void SegmentSession::wait_until_open(Deadline deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_until(lock, deadline, [this] { return machine_.record() || machine_.failure(); });
  if (machine_.failure()) throw Error(machine_.failure()->code, machine_.failure()->message);
  if (!machine_.record()) throw Error(ErrorCode::store_unavailable, "the store did not answer in time");
}

void SegmentSession::refuse_if_closed() const {
  if (closing_) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
}

// While the store does not answer a call waits for it; nothing else is mended by waiting.
void SegmentSession::throw_failure_unless_away() const {
  const auto& failure = machine_.failure();
  if (failure && failure->code != ErrorCode::store_unavailable) throw Error(failure->code, failure->message);
}

void SegmentSession::ask(std::uint64_t waiting) {
  const auto step = supply_.due_step(waiting, lease::system_time().mono_ms);
  if (!step) return;
  machine_.take(*step, waiting);
  woken_ = true;
  asked_.notify_one();
}

std::uint64_t SegmentSession::next_id(std::uint64_t number, std::size_t wanted, Deadline deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    refuse_if_closed();
    const bool served = supply_.serve();
    // A number that was taken before its range came is as good as any.
    if (served && !word().holds(number)) number = word().take();
    if (word().holds(number)) break;
    if (served) continue;
    throw_failure_unless_away();
    waiting_ += wanted;
    ask(waiting_);
    const bool in_time = changed_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    waiting_ -= wanted;
    if (in_time || supply_.held() > 0) continue;
    const auto& failure = machine_.failure();
    throw Error(ErrorCode::store_unavailable, failure ? failure->message : "the store did not answer in time");
  }
  ask(0);
  return number;
}

bool SegmentSession::serve() {
  const std::lock_guard<std::mutex> lock(mutex_);
  refuse_if_closed();
  const bool served = supply_.serve();
  if (!served) throw_failure_unless_away();
  ask(served ? 0 : waiting_ + 1);
  return served;
}

void SegmentSession::close() noexcept {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!closing_) {
    closing_ = true;
    machine_.close(word().freeze());
  }
  woken_ = true;
  asked_.notify_one();
  changed_.notify_all();
  changed_.wait_for(lock, kClosing, [this] { return ended_; });
}

SegmentStats SegmentSession::stats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {supply_.used(), supply_.held(), supply_.step(),     supply_.fetches(),
          last_fetch_ms_, jumps_,         machine_.failures()};
}

// --- the thread ----------------------------------------------------------------------------------

void SegmentSession::run() noexcept {
  std::unique_lock<std::mutex> lock(mutex_);
  try {
    while (step(lock)) {
    }
    // Out of memory: callers wait until their deadline.
  } catch (const std::exception&) {
  }
  ended_ = true;
  changed_.notify_all();
}

bool SegmentSession::step(std::unique_lock<std::mutex>& lock) {
  const count::Action action = machine_.poll(lease::system_time());
  switch (action.kind) {
    case Kind::done: return false;
    case Kind::sleep: sleep(action.mono_ms, lock); return true;
    case Kind::granted: supply_.add(action.numbers); break;
    case Kind::jumped: ++jumps_; break;
    default: follow(action, lock); break;
  }
  changed_.notify_all();
  return true;
}

void SegmentSession::sleep(std::int64_t until_mono_ms, std::unique_lock<std::mutex>& lock) {
  const std::chrono::milliseconds pause(until_mono_ms - lease::system_time().mono_ms);
  asked_.wait_for(lock, pause, [this] { return woken_; });
  woken_ = false;
}

void SegmentSession::follow(const count::Action& action, std::unique_lock<std::mutex>& lock) {
  std::optional<count::Contents> contents;
  count::Answer answer;
  std::optional<std::string> failure;  // a message, which may be empty
  const std::int64_t began_ms = lease::system_time().mono_ms;
  lock.unlock();
  try {
    if (action.kind == Kind::read) contents = store_.read_counter(counter_);
    else if (action.kind == Kind::add) answer = store_.add(action.add);
    else if (action.kind == Kind::head) answer = store_.write_head(action.head);
    else answer = store_.back(action.back);
  } catch (const std::exception& error) {
    failure = error.what();
  } catch (...) {
    failure = "the store failed";
  }
  lock.lock();
  const lease::Time now = lease::system_time();
  if (failure) return machine_.deliver_nothing(action.number, *failure, now);
  if (contents) return machine_.deliver(action.number, *contents, now);
  machine_.deliver(action.number, answer, now);
  if (action.kind == Kind::add) last_fetch_ms_ = now.mono_ms - began_ms;
}

}  // namespace polyflake
