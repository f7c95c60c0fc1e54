#include "open/leased_worker.hpp"

#include <polyflake/error.hpp>

#include <atomic>
#include <utility>

#include "open/lease.hpp"
#include "open/store_runner.hpp"
#include "open/tell_of_fork.hpp"

namespace polyflake {
namespace {

void refuse_manual_clock(const NodeRequest& request) {
  if (request.clock == nullptr) return;
  throw Error(ErrorCode::option_invalid,
              "a lease goes by the clocks of this host and its store, not by a manual clock");
}

// The runner of the present execution: a copy of the process gets another.
class Runners final : public lease::Runner {
 public:
  Runners(std::shared_ptr<Store> store, std::shared_ptr<lease::Lease> lease)
      : store_(std::move(store)), lease_(std::move(lease)), begun_(Execution::current()), execution_(begun_.load()) {}

  void start() {
    runner_ = std::make_shared<lease::StoreRunner>(store_, lease_);
    runner_->start();
  }
  void wait_until_granted() { runner_->wait_until_granted(); }

  // Called in a copy of the process by one of the calls for ids. The former runner is not touched:
  // a thread that was not copied may hold its locks. Errors: store_unavailable.
  void start_in_copy() override {
    std::uint64_t former = begun_.load(std::memory_order_acquire);
    const std::uint64_t current = Execution::current();
    if (former == current || !begun_.compare_exchange_strong(former, current, std::memory_order_acq_rel)) return;
    try {
      begin_anew();
    } catch (...) {
      begun_.store(former, std::memory_order_release);  // the next call tries again
      throw;
    }
    // Release: a thread that closes sees the runner, too.
    execution_.store(current, std::memory_order_release);
  }

  void renew() override {
    if (runs()) runner_->renew();
  }

  void stop() noexcept override {
    if (runs()) runner_->stop();
  }

 private:
  void begin_anew() {
    if (!lease_->of_this_execution()) {
      new std::shared_ptr<lease::StoreRunner>(std::move(runner_));  // never freed
      tell_of_fork(*store_);
      lease_->begin_anew();
    }
    start();
  }

  bool runs() const noexcept {
    return execution_.load(std::memory_order_acquire) == Execution::current() && runner_ != nullptr;
  }

  const std::shared_ptr<Store> store_;
  const std::shared_ptr<lease::Lease> lease_;
  std::atomic<std::uint64_t> begun_;      // the execution that makes a runner
  std::atomic<std::uint64_t> execution_;  // the execution of the present runner
  std::shared_ptr<lease::StoreRunner> runner_;
};

// A lease whose runner is the language's own.
class LanguageRunner final : public lease::Runner {
 public:
  explicit LanguageRunner(std::shared_ptr<lease::Lease> lease) : lease_(std::move(lease)) {}

 private:
  const std::shared_ptr<lease::Lease> lease_;
};

}  // namespace

std::unique_ptr<NodeProvider> make_stored_node(const NodeRequest& request, const Worker::InStore& worker) {
  refuse_manual_clock(request);
  if (worker.store == nullptr) throw Error(ErrorCode::worker_source_invalid, "the store is a null pointer");
  auto lease = std::make_shared<lease::Lease>(request.layout, worker.options, "a store");
  auto runners = std::make_shared<Runners>(worker.store, lease);
  runners->start();
  try {
    runners->wait_until_granted();
  } catch (...) {
    runners->stop();
    throw;
  }
  return std::make_unique<lease::LeasedNodeProvider>(lease->current(), runners);
}

std::unique_ptr<NodeProvider> make_leased_node(const NodeRequest& request, const std::shared_ptr<lease::Lease>& lease) {
  refuse_manual_clock(request);
  if (lease->layout() != request.layout) {
    throw Error(ErrorCode::option_invalid, "the lease is one of layout '" + lease->layout().text() + "'");
  }
  return std::make_unique<lease::LeasedNodeProvider>(lease->current(), std::make_shared<LanguageRunner>(lease));
}

}  // namespace polyflake
