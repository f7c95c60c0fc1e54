#include <polyflake/detail/tick_cache.hpp>

#include <polyflake/detail/execution.hpp>

#include <algorithm>

#include "base/nanoseconds.hpp"

namespace polyflake {

TickCache::Word TickCache::word_;

#if POLYFLAKE_HAS_TSC

namespace {

// A rate is measured over at least this long, and used after a second measurement has agreed: the
// clock may have been set during the first. The time doubles after every disagreement, so that a
// clock and a TSC that keep disagreeing end up with the plain clock. It is halved after kQuiet such
// times without one.
constexpr std::int64_t kFirstMeasurementNs = 2 * kNsPerMs;
constexpr std::int64_t kQuiet = 64;
constexpr std::int64_t kLongestMeasurementNs = 3'600'000 * kNsPerMs;

// A reading whose two TSC values are this far apart was interrupted and tells nothing about the
// rate.
constexpr std::uint64_t kInterrupted = 20'000;

// TSC counts per ns of any processor.
constexpr double kFastest = 8;
constexpr double kSlowest = 0.05;

// `end` is early by this share of the rest of the ms: more than a measurement can be wrong.
constexpr int kMarginShift = 7;  // 1/128

std::atomic<bool> g_enabled{false};

// The execution that writes, 0 for none: in a copy of the process, a thread missing there blocks no
// writer.
std::atomic<std::uint64_t> g_writer{0};

// Guarded by g_writer.
struct Calibration {
  bool started = false;
  std::uint64_t tsc = 0;  // a reading of both clocks at the same moment
  std::int64_t ns = 0;
  double rate = 0;      // TSC counts per ns; 0 while not measured
  bool agreed = false;  // a second measurement has agreed with the rate
  std::int64_t measure_ns = kFirstMeasurementNs;
  std::int64_t quiet_since_ns = 0;
} g_calibration;

// Returns false while another thread of this execution writes.
bool try_write() {
  const std::uint64_t execution = Execution::current();
  std::uint64_t writer = 0;
  if (g_writer.compare_exchange_strong(writer, execution, std::memory_order_acquire)) return true;
  if (writer == execution || !g_writer.compare_exchange_strong(writer, execution, std::memory_order_acquire))
    return false;
  g_calibration = {};  // it was copied half-written
  return true;
}

void end_writing() { g_writer.store(0, std::memory_order_release); }

void measure_from(Calibration& calibration, std::uint64_t tsc, std::int64_t ns) {
  calibration.tsc = tsc;
  calibration.ns = ns;
}

void start_measuring(Calibration& calibration, std::uint64_t tsc, std::int64_t ns) {
  calibration.started = true;
  calibration.rate = 0;
  calibration.agreed = false;
  measure_from(calibration, tsc, ns);
}

// A step of the clock long ago says nothing about the present.
void note_agreement(Calibration& calibration, std::int64_t ns) {
  if (ns - calibration.quiet_since_ns < kQuiet * calibration.measure_ns) return;
  calibration.measure_ns = std::max(calibration.measure_ns / 2, kFirstMeasurementNs);
  calibration.quiet_since_ns = ns;
}

// Measures the rate twice, then checks every reading against it.
void compare(Calibration& calibration, std::uint64_t tsc, std::int64_t ns) {
  const double elapsed_ns = static_cast<double>(ns - calibration.ns);
  const double counts = static_cast<double>(static_cast<std::int64_t>(tsc - calibration.tsc));
  if (!calibration.started || elapsed_ns < 0 || counts < 0) return start_measuring(calibration, tsc, ns);
  if (!calibration.agreed && elapsed_ns < static_cast<double>(calibration.measure_ns)) return;
  if (calibration.rate == 0) {
    const double rate = counts / elapsed_ns;
    // A rate that no processor has: the clock was set.
    if (rate > kFastest || rate < kSlowest) return start_measuring(calibration, tsc, ns);
    calibration.rate = rate;
    return measure_from(calibration, tsc, ns);
  }
  const double off_ns = counts / calibration.rate - elapsed_ns;
  const double tolerated_ns = elapsed_ns / 256 + 20'000;
  if (off_ns > tolerated_ns || off_ns < -tolerated_ns) {
    if (calibration.measure_ns < kLongestMeasurementNs) calibration.measure_ns *= 2;
    return start_measuring(calibration, tsc, ns);
  }
  if (!calibration.agreed) calibration.quiet_since_ns = ns;
  calibration.agreed = true;
  measure_from(calibration, tsc, ns);
  note_agreement(calibration, ns);
}

}  // namespace

std::int64_t TickCache::read_and_remember() {
  const std::uint64_t before = __rdtsc();
  const std::int64_t now_ns = SystemClock::read_ns();
  const std::uint64_t after = __rdtsc();
  const std::int64_t now_ms = now_ns / kNsPerMs;
  // Only one writer: two would mix the ms of one reading with the end of another. A second thread
  // just returns its reading.
  if (after - before > kInterrupted || !try_write()) return now_ms;
  Calibration& calibration = g_calibration;
  compare(calibration, before, now_ns);
  if (calibration.agreed) {
    const double left_ns = static_cast<double>((now_ms + 1) * kNsPerMs - now_ns);
    const auto left = static_cast<std::uint64_t>(left_ns * calibration.rate);
    word_.ms.store(now_ms, std::memory_order_relaxed);
    // Release: publishes the ms. `before`, not `after`: the end must not be late.
    word_.end.store(before + left - (left >> kMarginShift), std::memory_order_release);
  }
  const bool enabled = g_enabled.load(std::memory_order_relaxed);
  const std::uint64_t span = calibration.agreed ? static_cast<std::uint64_t>(calibration.rate * kNsPerMs) : kUnmeasured;
  word_.span.store(enabled ? span : 0, std::memory_order_relaxed);
  end_writing();
  return now_ms;
}

void TickCache::enable() noexcept { turn(true); }
void TickCache::disable() noexcept { turn(false); }

void TickCache::turn(bool on) noexcept {
  if (g_enabled.load(std::memory_order_relaxed) == on) return;
  while (!try_write()) {
  }
  g_enabled.store(on, std::memory_order_relaxed);
  g_calibration = {};
  word_.span.store(on ? kUnmeasured : 0, std::memory_order_relaxed);
  end_writing();
}

bool TickCache::active() noexcept { return word_.span.load(std::memory_order_relaxed) > kUnmeasured; }

#else

void TickCache::enable() noexcept {}
void TickCache::disable() noexcept {}
bool TickCache::active() noexcept { return false; }

#endif

}  // namespace polyflake
