#include "counter_source.hpp"

#include <polyflake/error.hpp>

namespace polyflake::server {

CounterSource::CounterSource(std::shared_ptr<CounterStore> store, const SegmentOptions& options)
    : store_(std::move(store)), longest_wait_(options.timeout_ms), segment_(*store_, options) {}

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
  if (!next_) next_ = segment_.try_next_id();
  if (next_) empty_since_.reset();
  else if (!empty_since_) empty_since_ = Clock::now();
  return next_.has_value();
}

bool CounterSource::waited_too_long() const { return empty_since_ && Clock::now() - *empty_since_ >= longest_wait_; }

Source::State CounterSource::state() {
  try {
    // Asks the store again if it gave none: a server that is not ready may be asked for no number.
    if (has_next() || !waited_too_long()) return {true, "open", "", -1, 0};
    return {false, "waiting", info(ErrorCode::store_unavailable).name, -1, 0};
  } catch (const Error& error) {
    return {false, segment_.closed() ? "closed" : "waiting", error.code_name(), -1, 0};
  }
}

}  // namespace polyflake::server
