// The cached tick between two readings of the clock, two threads at once: never more than a ms behind, never ahead.
#include "rows.hpp"

#include <polyflake/detail/tick_cache.hpp>

#include <cstddef>

#include "together.hpp"

namespace polyflake::bench {
namespace {

// Unless the clock itself went back in between.
bool is_late() {
  const std::int64_t before = SystemClock::read_ms();
  const std::int64_t cached = TickCache::now_ms();
  const std::int64_t after = SystemClock::read_ms();
  return before <= after && (cached < before - 1 || cached > after);
}

double run(Report& report, benchmark::State& state) {
  const auto generator = open("polyflake");  // the first of a process chooses how the clock is read
  const std::size_t each = report.settings().quick ? 2'500'000 : 50'000'000;
  std::size_t late[2] = {0, 0};
  const double seconds = together(2, [&](std::size_t thread) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < each; ++i) found += is_late();
    late[thread] = found;
  });
  const std::string name =
      std::to_string(2 * each / 1'000'000) + " million readings between two of the clock: more than a ms off";
  report.add_figure(state, {"cpp.readings.late", "readings", kOurs,
                            TickCache::active() ? name : name + " (no cached tick on this machine)", ""},
                    "late", static_cast<double>(late[0] + late[1]), "readings");
  return seconds;
}

}  // namespace

void register_readings(Report& report) {
  register_once("readings", [&report](benchmark::State& state) { return run(report, state); });
}

}  // namespace polyflake::bench
