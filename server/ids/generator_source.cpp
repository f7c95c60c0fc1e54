#include "ids/generator_source.hpp"

#include <algorithm>
#include <chrono>

namespace polyflake::server {
namespace {

double ns_per_id_of(const Layout& layout) {
  return static_cast<double>(layout.tick_ms()) * 1e6 / static_cast<double>(std::uint64_t{1} << layout.sequence().width);
}

}  // namespace

GeneratorSource::GeneratorSource(const Options& options, bool by_host)
    : generator_(options), claims_(generator_), by_host_(by_host), ns_per_id_(ns_per_id_of(generator_.layout())) {}

Source::Answer GeneratorSource::take(std::size_t n) {
  while (held_.count == 0 || !due_) {
    if (held_.count == 0) {
      held_ = claims_.claim_range(n);
      if (held_.count == 0) return {{}, claims_.claimable_in_ns()};
      due_ = held_.ready;
      waited_ns_ = 0;
      continue;
    }
    const std::int64_t ns = claims_.wait_ns(held_.last(), waited_ns_);
    if (ns > 0) {
      waited_ns_ += ns;  // the queue asks again when they are over
      return {{}, ns};
    }
    due_ = ns == 0;
    if (ns < 0) held_.count = 0;  // of a node id that was lost: claim again
  }
  IdRange given = held_;
  given.count = std::min(n, held_.count);
  held_.first += held_.step * given.count;
  held_.count -= given.count;
  return {given, 0};
}

Source::State GeneratorSource::state() {
  const GeneratorState now = generator_.state();
  return {now.name == GeneratorState::Name::open, name_of(now.name), now.code ? info(*now.code).name : "",
          static_cast<std::int64_t>(generator_.worker()), generator_.stats().until_ms};
}

Source::Renewals GeneratorSource::renewals() const {
  const Stats stats = generator_.stats();
  return {kept_.load(std::memory_order_relaxed), static_cast<double>(kept_ns_.load(std::memory_order_relaxed)) / 1e9,
          stats.renewals, stats.store_failures};
}

void GeneratorSource::renew() {
  if (!by_host_) return;
  const auto begin = std::chrono::steady_clock::now();
  generator_.renew();
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
  kept_ns_.fetch_add(took.count(), std::memory_order_relaxed);
  kept_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace polyflake::server
