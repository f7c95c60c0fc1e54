// A task of an operator that a thread carries out on a C++ store.
#pragma once

#include <cstdint>
#include <utility>

namespace polyflake {

// While one lasts, its thread carries out an operator's task. Nothing expires meanwhile, so each of
// its commands may take longer than those of a holder; in each language as long.
class OperatorsTask {
 public:
  static constexpr std::int64_t kCommandMs = 5000;

  OperatorsTask() : outer_(std::exchange(lasts_, true)) {}
  ~OperatorsTask() { lasts_ = outer_; }
  OperatorsTask(const OperatorsTask&) = delete;
  OperatorsTask& operator=(const OperatorsTask&) = delete;

  // Returns true if the calling thread carries one out.
  static bool lasts() { return lasts_; }

 private:
  static inline thread_local bool lasts_ = false;

  const bool outer_;
};

}  // namespace polyflake
