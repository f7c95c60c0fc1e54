// Makes an open generator of Options: checks, the worker, a node.
#include <polyflake/generator.hpp>

#include <polyflake/error.hpp>

#include <string>

#include "issue/current_tick.hpp"
#include "open/node_providers.hpp"
#include "open/worker_choice.hpp"
#include "time/clock_reading.hpp"

namespace polyflake {
namespace {

// Generated ids stay below 2^63. If the timestamp has the top bit, its last tick ensures that.
void check_generates(const Layout& layout) {
  constexpr std::int64_t kLongestTickMs = std::int64_t{1} << 48;
  if (layout.tick_ms() > kLongestTickMs) {
    throw Error(ErrorCode::layout_too_wide, "layout '" + layout.text() +
                                                "' has ticks of more than 8900 years: it can be "
                                                "decoded, but nobody would live to see its second id");
  }
  const Field& sequence = layout.sequence();
  if (sequence.shift + sequence.width < 64) return;
  throw Error(ErrorCode::layout_too_wide, "layout '" + layout.text() +
                                              "' puts the sequence into the sign bit: it can be decoded, but generated "
                                              "ids must stay below 2^63");
}

}  // namespace

Generator::Generator(Options options) : layout_(options.layout), pace_(options), clock_(options.clock) {
  check_generates(layout_);
  prepare_closing();
  const WorkerChoice choice = choose_worker(options.worker);
  provider_ = provider_for(choice.worker, {layout_, pace_.lead_ticks, clock_.get(), choice.chosen});
  if (clock_ == nullptr) {
    choose_clock_reading();
    // Refuses at once a clock at which nothing can be issued.
    current_tick(layout_, SystemClock::read_ms());
  }
  start_with(provider_->open());
}

}  // namespace polyflake
