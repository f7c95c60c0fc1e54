// The session of a segment in one execution: what it holds of its counter, and the thread that
// talks to the store.
#pragma once

#include <polyflake/segment.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "open/held_numbers.hpp"

namespace polyflake {

class SegmentSession {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Errors: store_unavailable if no thread can be started. In a copy of the process: if the store
  // cannot be told so.
  SegmentSession(CounterStore& store, const count::CounterUse& use, bool in_copy);
  ~SegmentSession();  // waits for the thread
  SegmentSession(const SegmentSession&) = delete;
  SegmentSession& operator=(const SegmentSession&) = delete;

  Range& word() { return held_.word(); }
  void drop_if_over() { held_.drop_if_over(); }
  bool of_this_execution() const { return held_.of_this_execution(); }

  // Blocks: until the counter was read. Errors: the reason why it was not.
  void wait_until_open(Deadline deadline);

  // Returns a number that was held, or `number` if it is. Blocks: until the deadline. Errors: as
  // Segment::next_id(). wanted: how many numbers the caller needs in all.
  std::uint64_t next_id(std::uint64_t number, std::size_t wanted, Deadline deadline);
  // Returns false if nothing is held; then the store is asked. Errors: as Segment::next_id().
  bool serve();

  // Blocks: half a second at most.
  void close() noexcept;
  Stats stats() const { return held_.stats(); }

 private:
  void run() noexcept;
  void tell_callers();  // to look again at what is held
  void sleep(std::int64_t until_mono_ms);

  CounterStore& store_;
  const std::string counter_;
  count::HeldNumbers held_;
  std::mutex mutex_;                 // for the two that follow
  std::condition_variable changed_;  // for callers: the store has answered
  std::condition_variable asked_;    // for the thread
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace polyflake
