#include "facade/counted_source.hpp"

#include <polyflake/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>

#include "facade/counter.hpp"
#include "facade/process.hpp"
#include "kinds/kind.hpp"
#include "open/counter.hpp"

namespace polyflake::facade {
namespace {

constexpr std::int64_t kNothingYet = -1;  // ~0: see claims.hpp

// Drops what is held of a date whose period is over. Out of line: no segment comes here.
[[gnu::noinline]] void drop_if_over(count::HeldNumbers& held) {
  if (held.of_this_execution()) held.drop_if_over();
}

inline Range::Numbers take_held(count::HeldNumbers& held, std::uint64_t n) {
  if (held.may_be_over()) drop_if_over(held);
  return held.word().take_some(n);
}

}  // namespace

CountedSource::CountedSource(const Options& options) : Source(options.kind()), counter_(options.counter_) {
  const std::string kind = options.kind().name;
  if (counter_ == nullptr || counter_->shape().kind != kind) {
    throw Error(ErrorCode::option_invalid, "kind " + quoted(kind) + " needs a store with a counter of its kind");
  }
}

void CountedSource::refuse_closed() const {
  if (closed()) throw Error(ErrorCode::generator_closed, "this source was closed; open a new one");
}

Range::Numbers CountedSource::take(Claiming how, std::size_t n, std::uint64_t early) {
  for (;;) {
    count::HeldNumbers& held = counter_->held();
    const Range::Numbers taken = early == 0 ? take_held(held, n) : Range::Numbers{0, 0};
    // In a copy of the process nothing is held until its own runner has begun.
    if (taken.count != 0 || how == Claiming::now || !held.of_this_execution()) return taken;
    std::optional<std::uint64_t> waits_since;
    const bool served = how == Claiming::slowly ? held.serve_or_wait(n, waits_since, early) : held.serve_or_want(early);
    if (!served) return taken;
    // The range that is installed holds it or goes beyond it. So it counts now or never.
    if (held.word().holds(early)) return {early, 1};
    early = 0;
  }
}

bool CountedSource::claim_held(std::uint64_t& number) noexcept {
  if (closed()) return false;
  const Range::Numbers taken = take_held(counter_->held(), 1);
  number = taken.first;
  return taken.count != 0;
}

Range* CountedSource::range() const { return counter_->shape().kind == "segment" ? &counter_->held().word() : nullptr; }

std::int64_t CountedSource::claim_number(Claiming how, std::uint64_t early) {
  refuse_closed();
  const Range::Numbers taken = take(how, 1, early);
  return taken.count == 0 ? kNothingYet : static_cast<std::int64_t>(taken.first);
}

std::int64_t CountedSource::claim_id(Claiming how, unsigned char* id) {
  refuse_closed();
  const Range::Numbers taken = take(how, 1);
  if (taken.count == 0) return kNothingYet;
  std::memcpy(id, &taken.first, sizeof taken.first);
  return 0;
}

IdRange CountedSource::claim_ids(unsigned char* ids, std::size_t n) {
  refuse_closed();
  if (n == 0) return {0, 0, 0, true};
  const Range::Numbers taken = take(Claiming::slowly, n);
  for (std::uint64_t i = 0; i < taken.count; ++i) {
    const std::uint64_t number = taken.first + i;
    std::memcpy(ids + i * sizeof number, &number, sizeof number);
  }
  return {taken.first, 1, static_cast<std::size_t>(taken.count), taken.count != 0};
}

bool CountedSource::take_wake() { return counter_->of_this_execution() && counter_->held().take_wake(); }

// A quarter of the time already waited: so a call is late by that at most, and a store that is away
// costs few looks.
std::int64_t CountedSource::wait_ns(std::uint64_t early, std::int64_t waited_ns) {
  constexpr std::int64_t kShortestNs = 30'000, kLongestNs = 5'000'000;
  constexpr std::int64_t kAgain = -1;
  refuse_closed();
  if (counter_->of_this_execution()) {
    count::HeldNumbers& held = counter_->held();
    if (held.serve_or_want(early)) return kAgain;
    // This call does not know how many it waits for. Others that still wait want one at least.
    if (is_late(waited_ns)) held.stop_waiting(UINT64_MAX);
  }
  if (is_late(waited_ns)) refuse_late();
  return std::clamp(waited_ns / 4, kShortestNs, kLongestNs);
}

bool CountedSource::is_late(std::int64_t waited_ns) const {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  return waited_ns >= counter_->options().timeout_ms * kNsPerMs;
}

void CountedSource::refuse_late() const {
  if (!counter_->of_this_execution()) {
    throw Error(ErrorCode::store_unavailable, "this copy of the process has no runner for the counter");
  }
  const auto failure = counter_->held().failure();
  throw Error(ErrorCode::store_unavailable, failure ? failure->message : "the store did not answer in time");
}

// --- calls that block ----------------------------------------------------------------------------

bool CountedSource::claim_or_note(WaitingCall& call, std::int64_t waited_ns, std::uint64_t& number) {
  try {
    refuse_closed();
    // In a copy of the process nothing is held until its own runner has begun.
    count::HeldNumbers& held = counter_->held();
    const auto taken = held.of_this_execution() ? held.take_or_note(call) : std::nullopt;
    if (!taken && is_late(waited_ns)) refuse_late();
    number = taken.value_or(0);
    return taken.has_value();
  } catch (const std::exception&) {
    give_up(call);
    throw;
  }
}

std::int64_t CountedSource::await(const WaitingCall& call, std::int64_t ns) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kOfACopyNs = 1'000'000;
  const Clock::time_point began = Clock::now();
  count::HeldNumbers& held = counter_->held();
  if (call.noted_by == &held && held.of_this_execution()) held.await(call, std::chrono::nanoseconds(ns));
  else sleep_ns(std::min(ns, kOfACopyNs));
  return std::max<std::int64_t>(1, std::chrono::nanoseconds(Clock::now() - began).count());
}

void CountedSource::give_up(WaitingCall& call) {
  if (counter_->of_this_execution()) counter_->held().forget(call);
}

GeneratorState CountedSource::state() const {
  if (closed()) return {"closed", "generator_closed"};
  if (!counter_->of_this_execution()) return {"starting", ""};
  const count::HeldNumbers& held = counter_->held();
  if (held.stats().held > 0) return {"open", ""};
  const auto failure = held.failure();
  return failure ? GeneratorState{"waiting", info(failure->code).name} : GeneratorState{"open", ""};
}

polyflake::Stats CountedSource::stats() const {
  return counter_->of_this_execution() ? counter_->held().stats() : polyflake::Stats{};
}

}  // namespace polyflake::facade
