#include "saturation.hpp"

#include <polyflake/clock.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <future>
#include <thread>

namespace polyflake::bench {

std::size_t duplicates_among(const std::vector<Ids>& threads) {
  Ids all;
  for (const Ids& ids : threads) all.insert(all.end(), ids.begin(), ids.end());
  std::sort(all.begin(), all.end());
  return static_cast<std::size_t>(all.end() - std::unique(all.begin(), all.end()));
}

Stage::Stage(std::size_t threads, std::int64_t span_ms, const Layout& layout)
    : layout_(layout), span_ms_(span_ms), ids_(threads) {
  const std::size_t all = (ones(layout.sequence().width) + 1) * static_cast<std::size_t>(span_ms + 1);
  for (Ids& ids : ids_) {
    ids.assign(std::min(all, 2 * all / threads) + 64, 0);  // one thread of many may get more: then it grows
    ids.clear();
  }
}

Saturation Stage::run_threads(const std::function<void(std::size_t)>& work) {
  std::promise<void> start;
  const std::shared_future<void> started = start.get_future().share();
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < ids_.size(); ++i) {
    threads.emplace_back([&, i] {
      started.wait();
      work(i);
    });
  }
  const std::int64_t former_ms = SystemClock::read_ms();
  std::int64_t begin_ms;
  do begin_ms = SystemClock::read_ms();
  while (begin_ms == former_ms);
  bound_ = layout_.first_id(begin_ms + span_ms_);
  const std::clock_t cpu = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  start.set_value();
  work(0);
  for (std::thread& thread : threads) thread.join();
  const std::int64_t end_ms = SystemClock::read_ms();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return judge(elapsed.count(), static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC, end_ms);
}

Saturation Stage::judge(double seconds, double cpu_seconds, std::int64_t end_ms) const {
  std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
  Saturation found{ids_.size(), seconds, 0, duplicates_among(ids_), 0, 0, cpu_seconds, 0, {}};
  std::size_t within = 0;  // the ids that ended the threads are one each, of a tick that was not used up
  for (const Ids& ids : ids_) {
    found.ids += ids.size();
    found.by_thread.push_back(ids.size());
    for (const std::uint64_t id : ids) {
      lowest = std::min(lowest, id);
      highest = std::max(highest, id);
      within += id < bound_;
    }
  }
  const std::uint64_t ticks = layout_.unpack(bound_).tick - layout_.unpack(lowest).tick;
  const auto capacity = static_cast<double>(ones(layout_.sequence().width) + 1);
  found.share = static_cast<double>(within) / (capacity * static_cast<double>(ticks));
  found.ahead_ms = layout_.unpack(highest).time_ms - end_ms;
  found.cpu_seconds_per_million = cpu_seconds / static_cast<double>(found.ids) * 1e6;
  return found;
}

}  // namespace polyflake::bench
