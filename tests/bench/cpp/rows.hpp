// The benchmarks, one file for each register_: rows_<name>.cpp.
#pragma once

#include <polyflake/generator.hpp>

#include <ctime>
#include <memory>

#include "report.hpp"

namespace polyflake::bench {

// What issues ids with the cached tick, where this machine has one.
void register_memory(Report& report);
void register_single(Report& report);
void register_batch(Report& report);
void register_threads(Report& report);
void register_saturated(Report& report);
void register_crowd(Report& report);
void register_readings(Report& report);

// The same with the plain clock: POLYFLAKE_TICK_CACHE=off, which is read once a process.
void register_plain(Report& report);

// Layouts whose ticks are never used up here, so that no call waits.
inline constexpr const char* kWide = "timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";
inline constexpr const char* kWider = "timestamp:39 sequence:24 tick=1ms epoch=2020-01-01T00:00:00.000Z";
inline constexpr const char* kTwoWide = "timestamp:40 worker:1 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z";

inline Options options_of(const Layout& layout, std::int64_t worker = 0, Ordering ordering = Ordering::strict) {
  Options options;
  options.worker = worker;
  options.layout = layout;
  options.ordering = ordering;
  options.max_wait_ms = 1000;  // where many threads share one generator each waits for its turn
  return options;
}

inline std::shared_ptr<Generator> open(const Layout& layout, std::int64_t worker = 0,
                                       Ordering ordering = Ordering::strict) {
  return std::make_shared<Generator>(options_of(layout, worker, ordering));
}

// One reading of the clock, the floor of single calls, as an operation.
inline constexpr const char* kClockName = "clock_gettime";
inline auto clock_reading() {
  return [] {
    std::timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    benchmark::DoNotOptimize(now);
  };
}

}  // namespace polyflake::bench
