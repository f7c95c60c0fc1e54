// The session of a segment in one execution: its machine, what it holds, and the thread that talks
// to the store.
#pragma once

#include <polyflake/detail/execution.hpp>
#include <polyflake/segment.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "count/machine.hpp"
#include "count/supply.hpp"
#include "open/lease.hpp"

namespace polyflake {

class SegmentSession {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Errors: store_unavailable if no thread can be started. In a copy of the process: if the store
  // cannot be told so.
  SegmentSession(CounterStore& store, const SegmentOptions& options, bool in_copy);
  ~SegmentSession();  // waits for the thread
  SegmentSession(const SegmentSession&) = delete;
  SegmentSession& operator=(const SegmentSession&) = delete;

  Range& word() { return supply_.word(); }
  bool of_this_execution() const { return execution_ == Execution::current(); }

  // Blocks: until the counter was read. Errors: the reason why it was not.
  void wait_until_open(Deadline deadline);

  // Returns a number that was held, or `number` if it is. Blocks: until the deadline. Errors: as
  // Segment::next_id(). wanted: how many numbers the caller needs in all.
  std::uint64_t next_id(std::uint64_t number, std::size_t wanted, Deadline deadline);
  // Returns false if nothing is held; then the store is asked. Errors: as Segment::next_id().
  bool serve();

  // Blocks: half a second at most.
  void close() noexcept;
  SegmentStats stats() const;

 private:
  void run() noexcept;
  bool step(std::unique_lock<std::mutex>& lock);
  void follow(const count::Action& action, std::unique_lock<std::mutex>& lock);
  void sleep(std::int64_t until_mono_ms, std::unique_lock<std::mutex>& lock);
  void ask(std::uint64_t waiting);
  void refuse_if_closed() const;
  void throw_failure_unless_away() const;

  CounterStore& store_;
  const std::string counter_;
  const std::uint64_t execution_ = Execution::current();
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // for callers
  std::condition_variable asked_;    // for the thread
  lease::SystemRandom random_;
  count::Machine machine_;
  count::Supply supply_;
  std::uint64_t waiting_ = 0;  // numbers that callers wait for
  bool woken_ = false;
  bool closing_ = false;
  bool ended_ = false;
  std::int64_t last_fetch_ms_ = 0;
  std::uint64_t jumps_ = 0;
  std::thread thread_;
};

}  // namespace polyflake
