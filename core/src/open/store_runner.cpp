#include "open/store_runner.hpp"

#include <polyflake/error.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace polyflake::lease {
namespace {

constexpr std::chrono::milliseconds kClosing{500};

}  // namespace

void StoreRunner::start() {
  try {
    std::thread([self = shared_from_this()] { self->run(); }).detach();
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::store_unavailable, std::string("no thread can be started for the lease: ") + error.what());
  }
}

void StoreRunner::wait_until_granted() {
  // A call of the store may take longer: then only this thread watches the clock.
  const std::chrono::milliseconds longest(lease_->acquire_timeout_ms() + kClosing.count());
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, longest, [this] { return granted_ || ended_; });
  if (granted_) return;
  const Failure failure = lease_->failure();
  throw Error(failure.code, failure.message);
}

void StoreRunner::renew() {
  const std::shared_ptr<LeaseStatus> status = lease_->status();
  std::unique_lock<std::mutex> lock(mutex_);
  const std::uint64_t before = status->confirmations.load(std::memory_order_acquire);
  const std::uint64_t failed_before = status->failures.load(std::memory_order_relaxed);
  const auto confirmed = [&] { return status->confirmations.load(std::memory_order_acquire) != before; };
  lease_->hurry();
  woken_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, std::chrono::milliseconds(lease_->options().window_ms * 2 / 3), [&] {
    return confirmed() || ended_ || status->failures.load(std::memory_order_relaxed) != failed_before;
  });
  if (confirmed()) return;
  const Failure failure = lease_->failure();
  throw Error(failure.code, failure.message);
}

void StoreRunner::stop() noexcept {
  lease_->release();
  std::unique_lock<std::mutex> lock(mutex_);
  woken_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, kClosing, [this] { return ended_; });
}

void StoreRunner::run() noexcept {
  try {
    while (step()) {
    }
    // This is a copy of the process, or out of memory: nothing is renewed any more.
  } catch (const std::exception&) {
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

bool StoreRunner::step() {
  const Action action = lease_->poll();
  switch (action.kind) {
    case Action::Kind::failed:
    case Action::Kind::done: return false;
    case Action::Kind::read:
    case Action::Kind::cas: follow(action); break;
    default: break;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  granted_ = granted_ || lease_->granted();
  changed_.notify_all();  // waiting threads check the result
  if (action.kind == Action::Kind::sleep) {
    const std::chrono::milliseconds pause(action.mono_ms - system_time().mono_ms);
    changed_.wait_for(lock, pause, [this] { return woken_; });
    woken_ = false;
  }
  return true;
}

void StoreRunner::follow(const Action& action) {
  std::string reason;
  try {
    if (action.kind == Action::Kind::read) {
      const Contents contents = store_->read(action.read);
      return lease_->deliver(action.number, contents);
    }
    const Answer answer = store_->cas(action.cas);
    return lease_->deliver(action.number, answer);
  } catch (const Error& error) {
    if (!lease_->of_this_execution()) throw;
    reason = error.what();
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
    reason = "the store failed";
  }
  lease_->deliver_nothing(action.number, reason);
}

}  // namespace polyflake::lease
