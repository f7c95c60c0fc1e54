// A counter of this process, for the runners of languages: what each execution of it holds.
#pragma once

#include <polyflake/segment.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "open/held_numbers.hpp"

namespace polyflake::count {

// Thread safety: any thread; the functions of Asker and begin_anew() one call at a time.
class Counter final : public Asker {
 public:
  // shown: the store, for people. Errors: option_invalid.
  Counter(const CounterUse& use, const std::optional<Word>& uuid, std::string shown);
  ~Counter() override;  // frees nothing that belongs to the original of a copy
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  // As HeldNumbers::next(); done if the counter cannot be opened. If the store is away, that is
  // after timeout_ms.
  Action next() override;
  void deliver(std::uint64_t number, const Contents& contents) override { held().deliver(number, contents); }
  void deliver(std::uint64_t number, const Answer& answer) override { held().deliver(number, answer); }
  void deliver_nothing(std::uint64_t number, const std::string& reason) override {
    held().deliver_nothing(number, reason);
  }

  void deliver_offset(std::optional<std::int64_t> offset_ms) override { held().deliver_offset(offset_ms); }

  const SegmentOptions& options() const { return use_.options; }
  const Shape& shape() const { return use_.shape; }
  // Acquire: what it holds is seen whole.
  HeldNumbers& held() const { return *held_.load(std::memory_order_acquire); }
  bool of_this_execution() const { return held().of_this_execution(); }
  // Starts over in a copy of the process: what is held belongs to the original.
  void begin_anew();

 private:
  const CounterUse use_;
  const std::optional<Word> uuid_;
  const std::string shown_;
  const std::int64_t made_ms_;  // mono
  std::atomic<HeldNumbers*> held_;
  bool was_open_ = false;  // in this execution or an earlier one
};

// Returns host and pid, for the records that operators write.
std::string own_label();

// Returns it if its options are in range. Errors: option_invalid.
CounterUse checked(CounterUse use);

}  // namespace polyflake::count
