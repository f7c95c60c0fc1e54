// How Options become an open generator: checks, the worker source, the state.
//
// This is the top floor of the core: it knows generators and the registry, which do not know each other.
#include <polyflake/generator.hpp>

#include <polyflake/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "open/node_providers.hpp"
#include "os/os.hpp"
#include "issue/current_tick.hpp"
#include "open/worker_choice.hpp"

namespace polyflake {
namespace {

constexpr std::int64_t kLongestMs = INT32_MAX;

[[noreturn]] void refuse_option(const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
  throw Error(ErrorCode::option_invalid, std::string(name) + " is " + std::to_string(value) + "; it may be " +
                                             std::to_string(least) + " to " + std::to_string(most));
}

std::int64_t checked_ms(const char* name, std::int64_t ms) {
  if (ms < 0 || ms > kLongestMs) refuse_option(name, ms, 0, kLongestMs);
  return ms;
}

std::uint64_t checked_spread(const Options& options) {
  const auto capacity = static_cast<std::int64_t>(ones(options.layout.sequence().width) + 1);
  const std::int64_t most = std::max<std::int64_t>(capacity / 8, 1);
  const std::int64_t spread = options.sequence_spread.value_or(most);
  if (spread < 1 || spread > most) refuse_option("sequence_spread", spread, 1, most);
  return static_cast<std::uint64_t>(spread);
}

// Generated ids stay below 2^63. Where the timestamp has the top bit, its last tick sees to that.
void check_generates(const Layout& layout) {
  constexpr std::int64_t kLongestTickMs = std::int64_t{1} << 48;
  if (layout.tick_ms() > kLongestTickMs) {
    throw Error(ErrorCode::layout_too_wide, "layout '" + layout.text() + "' has ticks of more than 8900 years: it can be "
                                                "decoded, but nobody would live to see its second id");
  }
  const Field& sequence = layout.sequence();
  if (sequence.shift + sequence.width < 64) return;
  throw Error(ErrorCode::layout_too_wide, "layout '" + layout.text() +
                                              "' puts the sequence into the sign bit: it can be decoded, but generated "
                                              "ids must stay below 2^63");
}

// Ids cannot run further ahead than windows are reserved.
void check_host_lead(const Layout& layout, std::int64_t lead_ticks) {
  const auto most = static_cast<std::int64_t>(HostReservation::window_ticks(layout)) - 2;
  if (lead_ticks <= most) return;
  throw Error(ErrorCode::option_invalid, "with a \"host\" worker ids may run at most " +
                                             std::to_string(most * layout.tick_ms()) + " ms ahead of the clock, not " +
                                             std::to_string(lead_ticks * layout.tick_ms()) +
                                             "; a larger max_lead_ms needs a static number as worker");
}

std::atomic<bool> g_clock_reading_chosen{false};

// Once a process. POLYFLAKE_TICK_CACHE=off keeps to the plain clock.
void choose_clock_reading() {
  if (g_clock_reading_chosen.exchange(true, std::memory_order_acq_rel)) return;
  const char* const setting = std::getenv("POLYFLAKE_TICK_CACHE");
  if ((setting == nullptr || std::string_view(setting) != "off") && platform::tsc_keeps_time()) TickCache::enable();
}

// Whether a warning is due, and whether it was given.
std::atomic<bool> g_on_container_layer{false};
std::atomic<bool> g_warned{false};

void look_for_container_layer(const std::string& home) {
  if (std::getenv("POLYFLAKE_HOME") == nullptr && platform::is_container_layer(home)) g_on_container_layer.store(true);
}

}  // namespace

std::string take_warning() {
  if (!g_on_container_layer.load() || g_warned.exchange(true)) return {};
  return "polyflake: no worker was chosen, and the registry folder lies on this container's own file system: other containers "
         "have registries of their own and issue the same ids. Mount one folder into all containers of a host and name it in "
         "POLYFLAKE_HOME, or choose a worker (POLYFLAKE_WORKER): see docs/worker-ids.md";
}

Generator::Generator(Options options)
    : layout_(options.layout),
      clock_(options.clock),
      spread_(checked_spread(options)),
      ordering_(options.ordering),
      lead_ticks_(checked_ms("max_lead_ms", options.max_lead_ms) / layout_.tick_ms()),
      wait_ticks_(std::max<std::int64_t>(checked_ms("max_wait_ms", options.max_wait_ms) / layout_.tick_ms(), 1)) {
  check_generates(layout_);
  prepare_closing();
  const WorkerChoice worker = choose_worker(options.worker, layout_);
  if (worker.source.kind != WorkerSpec::Kind::number) check_host_lead(layout_, lead_ticks_);
  if (clock_ != nullptr) {
    source_ = std::make_unique<ManualNodeProvider>();
    private_node_ = ManualNodeProvider::open(layout_, worker.source, *clock_);
    private_node_->join();
    start_with(*private_node_);
    return;
  }
  choose_clock_reading();
  current_tick(layout_, SystemClock::read_ms());  // a clock at which nothing can be issued is said now
  if (worker.source.kind == WorkerSpec::Kind::number) {
    auto source = std::make_unique<StaticNodeProvider>(layout_, worker.source.number);
    start_with(source->open());
    source_ = std::move(source);
  } else {
    auto source = std::make_unique<HostNodeProvider>(layout_, worker.source);
    start_with(source->open());
    if (!worker.chosen) look_for_container_layer(source->home());
    source_ = std::move(source);
  }
}

}  // namespace polyflake
