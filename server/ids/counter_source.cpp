#include "ids/counter_source.hpp"

#include <algorithm>
#include <utility>

#include <polyflake/error.hpp>

namespace polyflake::server {

CounterSource::CounterSource(std::shared_ptr<CounterStore> store, const SegmentOptions& options,
                             std::int64_t max_wait_ms)
    : store_(std::move(store)),
      longest_wait_(std::min(options.timeout_ms, max_wait_ms)),
      in_order_(options.step == 1),
      segment_(*store_, options) {}

Source::Answer CounterSource::take(std::size_t n) {
  if (!has_next()) {
    if (waited_too_long()) {
      throw Error(ErrorCode::store_unavailable, "the store of this counter gave no numbers in time");
    }
    constexpr std::int64_t kAskAgainNs = 1'000'000;  // a store nearby answers in less
    return {{}, kAskAgainNs};
  }
  IdRange ids{*next_, 1, 0, true};
  // The numbers of a range follow one another.
  do {
    ++ids.count;
    next_.reset();
  } while (ids.count < n && has_next() && *next_ == ids.first + ids.count);
  return {ids, 0};
}

bool CounterSource::has_next() {
  try {
    if (!next_) next_ = segment_.try_next_id();
  } catch (const Error&) {
    note_empty();
    throw;
  }
  if (next_) empty_since_.reset();
  else note_empty();
  return next_.has_value();
}

void CounterSource::note_empty() {
  if (!empty_since_) empty_since_ = Clock::now();
}

bool CounterSource::waited_too_long() const { return empty_since_ && Clock::now() - *empty_since_ >= longest_wait_; }

Source::State CounterSource::state() {
  if (segment_.closed()) return {false, "closed", "", -1, 0};
  if (!waited_too_long()) return {true, "open", "", -1, 0};
  try {
    // Clients do not ask a server that is not ready, so it asks the store by itself. With a step of
    // 1 it drops that number: kept for a later request, it would be out of order.
    const bool is_back = has_next();
    if (is_back && in_order_) next_.reset();
    if (is_back) return {true, "open", "", -1, 0};
    return {false, "waiting", info(ErrorCode::store_unavailable).name, -1, 0};
  } catch (const Error& error) {
    return {false, "waiting", error.code_name(), -1, 0};
  }
}

}  // namespace polyflake::server
