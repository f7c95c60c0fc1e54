#include "count/zone_periods.hpp"

#include <cstddef>
#include <utility>

#include "bits/calendar.hpp"

namespace polyflake::count {
namespace {

constexpr std::size_t kManyOffsets = 1000;  // a period needs fewer than 100

}  // namespace

PeriodOf ZonePeriods::of(const Shape& shape) {
  if (!is_zone_name(shape.zone)) return periods_of(shape);
  return [this, shape](std::int64_t unix_ms) { return at(shape, unix_ms); };
}

std::optional<Period> ZonePeriods::at(const Shape& shape, std::int64_t unix_ms) {
  missing_.reset();
  return period_in(shape.period, [this](std::int64_t ms) { return offset_at(ms); }, unix_ms);
}

std::optional<std::int64_t> ZonePeriods::offset_at(std::int64_t unix_ms) {
  const auto known = offsets_.find(unix_ms);
  if (known != offsets_.end()) return known->second;
  missing_ = unix_ms;
  return std::nullopt;
}

bool ZonePeriods::hold_back(std::uint64_t number, const Contents& contents, const std::optional<Shape>& made) {
  read_.reset();
  const auto shape = contents.record ? std::optional(shape_of(contents.record->head)) : made;
  if (!shape || !contents.store_ms || !is_zone_name(shape->zone) || !is_period_format(shape->period)) return false;
  if (shape->zone != zone_ || offsets_.size() > kManyOffsets) offsets_.clear();
  zone_ = shape->zone;
  shape_ = *shape;
  at(shape_, *contents.store_ms);
  if (missing_) read_ = Read{number, contents};
  return missing_.has_value();
}

std::optional<Action> ZonePeriods::next() const {
  if (!read_) return std::nullopt;
  Action action;
  action.kind = Action::Kind::offset;
  action.time = {zone_, missing_.value()};
  return action;
}

std::optional<ZonePeriods::Read> ZonePeriods::know(std::optional<std::int64_t> offset_ms) {
  if (!read_) return std::nullopt;
  const bool sound = offset_ms && *offset_ms > -calendar::kMsPerDay && *offset_ms < calendar::kMsPerDay;
  offsets_[missing_.value()] = sound ? offset_ms : std::nullopt;
  at(shape_, read_->contents.store_ms.value());
  return missing_ ? std::nullopt : std::exchange(read_, std::nullopt);
}

}  // namespace polyflake::count
