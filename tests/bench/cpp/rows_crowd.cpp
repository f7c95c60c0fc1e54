// 64 threads on one saturated generator: what they cost, how fairly they share, how long one may wait.
//
// Two runs, since timing each call would be most of what is measured: the first counts, the second times.
#include "rows.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

namespace polyflake::bench {
namespace {

constexpr std::size_t kThreads = 64;
constexpr const char* kWho = "64 threads on one saturated generator: ";

std::int64_t span_ms(const Report& report) { return static_cast<std::int64_t>(report.settings().seconds(3) * 1000); }

Row row(const char* key, const char* what) { return {key, "crowd", kOurs, std::string(kWho) + what, ""}; }

double count(Report& report, benchmark::State& state) {
  const auto generator = open("polyflake");
  const Saturation found =
      Stage(kThreads, span_ms(report), generator->layout()).run([&](std::size_t) { return generator->next_id(); });
  const auto [least, most] = std::minmax_element(found.by_thread.begin(), found.by_thread.end());
  report.add_figure(state, row("cpp.crowd.cpu_s", "CPU seconds"), "cpu_s", found.cpu_seconds, "s");
  report.add_figure(state, row("cpp.crowd.least_share", "least ids of a thread, of the most"),
                    "least_share", static_cast<double>(*least) / static_cast<double>(*most), "");
  report.add_figure(state, row(nullptr, "of the ceiling"), "share", found.share, "");
  report.add_duplicates(state, row(nullptr, "duplicates"), found.duplicates, found.ids);
  return found.seconds;
}

double time(Report& report, benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  struct alignas(64) Longest { Clock::duration call{0}; };
  std::vector<Longest> longest(kThreads);
  const auto generator = open("polyflake");
  const Saturation found = Stage(kThreads, span_ms(report), generator->layout()).run([&](std::size_t thread) {
    const auto begin = Clock::now();
    const std::uint64_t id = generator->next_id();
    longest[thread].call = std::max(longest[thread].call, Clock::now() - begin);
    return id;
  });
  Clock::duration call{0};
  for (const Longest& one : longest) call = std::max(call, one.call);
  report.add_figure(state, row("cpp.crowd.longest_wait_ms", "longest single call"), "longest_ms",
                    std::chrono::duration<double, std::milli>(call).count(), "ms");
  return found.seconds;
}

}  // namespace

void register_crowd(Report& report) {
  register_once("crowd.count", [&report](benchmark::State& state) { return count(report, state); });
  register_once("crowd.time", [&report](benchmark::State& state) { return time(report, state); });
}

}  // namespace polyflake::bench
