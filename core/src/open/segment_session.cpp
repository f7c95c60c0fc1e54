#include "open/segment_session.hpp"

#include <polyflake/error.hpp>

#include <exception>
#include <optional>
#include <string>
#include <system_error>

#include "open/tell_of_fork.hpp"

namespace polyflake {
namespace {

constexpr std::chrono::milliseconds kClosing{500};

}  // namespace

SegmentSession::SegmentSession(CounterStore& store, const count::CounterUse& use, bool in_copy)
    : store_(store), counter_(use.options.name), held_(use) {
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
  changed_.wait_until(lock, deadline, [this] { return held_.is_open() || held_.failure(); });
  if (const auto failure = held_.failure()) throw Error(failure->code, failure->message);
  if (!held_.is_open()) throw Error(ErrorCode::store_unavailable, "the store did not answer in time");
}

std::uint64_t SegmentSession::next_id(std::uint64_t number, std::size_t wanted, Deadline deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  std::optional<std::uint64_t> waits_since;
  for (;;) {
    const bool served = held_.serve_or_wait(wanted, waits_since, number);
    // A number that was taken before its range came is as good as any.
    if (served && !word().holds(number)) number = word().take();
    if (word().holds(number)) break;
    if (served) continue;
    asked_.notify_one();
    const bool in_time = changed_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    if (in_time || held_.serve()) continue;
    held_.stop_waiting(wanted);
    const auto failure = held_.failure();
    throw Error(ErrorCode::store_unavailable, failure ? failure->message : "the store did not answer in time");
  }
  asked_.notify_one();
  return number;
}

bool SegmentSession::serve() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool served = held_.serve_or_want();
  asked_.notify_one();
  return served;
}

void SegmentSession::close() noexcept {
  std::unique_lock<std::mutex> lock(mutex_);
  held_.close();
  asked_.notify_one();
  changed_.notify_all();
  changed_.wait_for(lock, kClosing, [this] { return ended_; });
}

// --- the thread ----------------------------------------------------------------------------------

void SegmentSession::run() noexcept {
  try {
    for (;;) {
      const count::Action action = held_.next();
      tell_callers();
      if (action.kind == count::Action::Kind::done) break;
      if (action.kind == count::Action::Kind::sleep) sleep(action.mono_ms);
      else count::carry_out(action, counter_, store_, held_);
    }
    // Out of memory: callers wait until their deadline.
  } catch (const std::exception&) {
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void SegmentSession::tell_callers() {
  const std::lock_guard<std::mutex> lock(mutex_);
  changed_.notify_all();
}

void SegmentSession::sleep(std::int64_t until_mono_ms) {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::chrono::milliseconds pause(until_mono_ms - lease::system_time().mono_ms);
  asked_.wait_for(lock, pause, [this] { return held_.take_wake(); });
}

}  // namespace polyflake
