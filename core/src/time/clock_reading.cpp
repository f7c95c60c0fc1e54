#include "time/clock_reading.hpp"

#include <polyflake/detail/tick_cache.hpp>

#include <atomic>

#include "os/os.hpp"

namespace polyflake {
namespace {

std::atomic<bool> g_chosen{false};

}  // namespace

void choose_clock_reading() {
  if (g_chosen.exchange(true, std::memory_order_acq_rel)) return;
  if (platform::environment("POLYFLAKE_TICK_CACHE") != "off" && platform::tsc_keeps_time()) TickCache::enable();
}

}  // namespace polyflake
