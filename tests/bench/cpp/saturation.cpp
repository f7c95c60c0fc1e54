#include <algorithm>
#include <ctime>
#include <future>
#include <thread>

#include "report.hpp"

namespace polyflake::bench {

std::size_t duplicates_among(Ids& ids) {
  std::sort(ids.begin(), ids.end());
  return static_cast<std::size_t>(ids.end() - std::unique(ids.begin(), ids.end()));
}

nlohmann::ordered_json saturate(std::size_t count, std::int64_t span_ms, const Layout& layout,
                                const std::function<std::uint64_t(std::size_t)>& issue) {
  const std::size_t capacity = std::size_t{1} << layout.sequence().width;
  const std::size_t all = capacity * static_cast<std::size_t>(span_ms + 1);
  std::vector<Ids> kept(count);
  for (Ids& ids : kept) {
    ids.assign(std::min(all, 2 * all / count) + 64, 0);  // touched; one thread of many may get more: then it grows
    ids.clear();
  }
  std::uint64_t bound = 0;  // written before the threads are let go
  // Each goes on until it gets an id beyond the span: no clock is read for that.
  const auto take = [&](std::size_t thread) {
    Ids& ids = kept[thread];
    do ids.push_back(issue(thread));
    while (ids.back() < bound);
  };
  std::promise<void> start;
  const std::shared_future<void> started = start.get_future().share();
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) {
    threads.emplace_back([&, i] { started.wait(), take(i); });
  }
  await_fresh_ms();
  bound = layout.first_id(SystemClock::read_ms() + span_ms);
  const std::clock_t cpu = std::clock();
  const auto begin = Steady::now();
  start.set_value();
  take(0);
  for (std::thread& thread : threads) thread.join();
  const std::int64_t end_ms = SystemClock::read_ms();
  const double seconds = ns_since(begin) / 1e9;
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;

  Ids ids;
  std::vector<std::size_t> by_thread;
  for (const Ids& one : kept) {
    by_thread.push_back(one.size());
    ids.insert(ids.end(), one.begin(), one.end());
  }
  const std::size_t issued = ids.size(), duplicates = duplicates_among(ids);
  // The ids that ended the threads are one each, of a tick that was not used up.
  const auto within = std::lower_bound(ids.begin(), ids.end(), bound) - ids.begin();
  const std::uint64_t ticks = layout.unpack(bound).tick - layout.unpack(ids.front()).tick;
  return {{"threads", count},
          {"seconds", seconds},
          {"cpu_seconds", cpu_seconds},
          {"ids", issued},
          {"duplicates", duplicates},
          {"taken", within},
          {"possible", capacity * ticks},
          {"ahead_ms", layout.unpack(ids.back()).time_ms - end_ms},
          {"by_thread", by_thread}};
}

}  // namespace polyflake::bench
