// Threads that take all ids there are, from the beginning of a millisecond on, and keep every one of them.
#pragma once

#include <polyflake/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace polyflake::bench {

using Ids = std::vector<std::uint64_t>;

struct Saturation {
  std::size_t threads;
  double seconds;                   // by the wall clock
  std::size_t ids, duplicates;
  double share;                     // of the ids that the layout has in the ticks from the first id on
  std::int64_t ahead_ms;            // the last id's time minus the clock at the end
  double cpu_seconds;               // of the process
  double cpu_seconds_per_million;
  std::vector<std::size_t> by_thread;
};

class Stage {
 public:
  // Memory for the ids of so many threads and ms is taken, and touched, here. `issue(thread)` gives an id.
  Stage(std::size_t threads, std::int64_t span_ms, const Layout& layout);

  // Each thread goes on until it gets an id of a tick beyond the span: no clock is read for that.
  template <class Issue>
  Saturation run(const Issue& issue) {
    return run_threads([this, &issue](std::size_t thread) {
      Ids& mine = ids_[thread];
      do mine.push_back(issue(thread));
      while (mine.back() < bound_);
    });
  }

 private:
  Saturation run_threads(const std::function<void(std::size_t)>& work);
  Saturation judge(double seconds, double cpu_seconds, std::int64_t end_ms) const;

  const Layout layout_;
  const std::int64_t span_ms_;
  std::vector<Ids> ids_;
  std::uint64_t bound_ = 0;
};

// How many of these ids equal another one.
std::size_t duplicates_among(const std::vector<Ids>& threads);

}  // namespace polyflake::bench
