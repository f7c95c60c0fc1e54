// Leases over stores of C++ that fail, hang or come back as others where a test wants it.
#pragma once

#include <polyflake/polyflake.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace polyflake::test {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

inline milliseconds since(Steady::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Steady::now() - begin);
}

// Soon, on a machine that is busy with other things.
inline bool comes(const std::function<bool()>& fact) {
  const auto begin = Steady::now();
  while (!fact()) {
    if (since(begin) > milliseconds(60'000)) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

inline std::shared_ptr<MemoryStore> memory() { return std::make_shared<MemoryStore>(SystemClock::read_ms); }

inline LeaseOptions fresh(std::int64_t window_ms = 10'000) {
  LeaseOptions options;
  options.window_ms = window_ms;
  options.tolerance_ms = window_ms / 10;
  return options;
}

// Makes the namespace if it is missing, and vouches for its name. If the store fails now, the opening meets that again.
inline void vouch_for(const std::shared_ptr<Store>& store, const LeaseOptions& lease) {
  try {
    init_namespace(*store, "polyflake", lease, true);
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

// A lease that makes no namespace finds one from which nothing was handed out yet.
inline Options on(std::shared_ptr<Store> store, LeaseOptions lease = fresh()) {
  if (store && lease.auto_init == LeaseOptions::AutoInit::no) vouch_for(store, lease);
  Options options;
  options.worker = Worker(std::move(store), std::move(lease));
  return options;
}

// A store whose calls fail or hang where a test wants it.
class Troubled final : public Store {
 public:
  explicit Troubled(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  lease::Contents read(const lease::Read& request) override {
    meet_trouble();
    return store_->read(request);
  }
  lease::Answer cas(const lease::Cas& request) override {
    meet_trouble();
    return store_->cas(request);
  }
  void forked() override {
    ++forked_;
    if (std::exchange(fails_when_forked_, false)) throw std::runtime_error("no connection");
    store_->forked();
  }

  void failure(std::function<void()> what) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_ = std::move(what);
  }
  void hang() {
    failure([this] {
      std::unique_lock<std::mutex> lock(mutex_);
      ++hanging_;
      changed_.wait_for(lock, std::chrono::hours(1000),
                        [this] { return goes_on_; });  // stopped clocks heed waits that end
    });
  }
  void go_on() {
    const std::lock_guard<std::mutex> lock(mutex_);
    goes_on_ = true;
    changed_.notify_all();
  }
  int hanging() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return hanging_;
  }
  // Once.
  void fail_when_forked() { fails_when_forked_ = true; }
  int forked_times() const { return forked_; }

 private:
  void meet_trouble() {
    std::function<void()> failure;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      failure = failure_;
    }
    if (failure) failure();
  }

  const std::shared_ptr<Store> store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> failure_;
  bool goes_on_ = false;
  bool fails_when_forked_ = false;
  int hanging_ = 0;
  std::atomic<int> forked_{0};
};

inline std::shared_ptr<Troubled> failing() { return std::make_shared<Troubled>(memory()); }

// A store that comes back as another one, as a server that was restarted.
class Restarted final : public Store {
 public:
  lease::Contents read(const lease::Read& request) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    refuse_when_down();
    return tables_.read(request, std::to_string(reign_), SystemClock::read_ms());
  }
  lease::Answer cas(const lease::Cas& request) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    refuse_when_down();
    const std::int64_t now_ms = SystemClock::read_ms();
    return {tables_.step(request, std::to_string(reign_), now_ms), request.echo, now_ms};
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    down_ = true;
  }
  void start() {
    const std::lock_guard<std::mutex> lock(mutex_);
    down_ = false;
    ++reign_;
  }

 private:
  void refuse_when_down() const {
    if (down_) throw std::runtime_error("nobody listens");
  }

  std::mutex mutex_;
  lease::Tables tables_;
  int reign_ = 0;
  bool down_ = false;
};

}  // namespace polyflake::test
