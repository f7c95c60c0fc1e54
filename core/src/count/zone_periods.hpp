// Dates in zones that only the library of a language knows: what was read of a counter is held back
// until the language has told the offsets which the period of the store's time depends on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "count/counter_options.hpp"
#include "count/machine.hpp"
#include "count/period.hpp"

namespace polyflake::count {

// Thread safety: one call at a time.
class ZonePeriods {
 public:
  // A reading of the counter, and the number of its request.
  struct Read {
    std::uint64_t number;
    Contents contents;
  };

  // Returns the periods of a shape. As long as an offset is missing they are nothing. Requires:
  // this object lasts as long.
  PeriodOf of(const Shape& shape);

  // Holds back what was read, if an offset is missing. Returns whether it does. made: the shape of
  // the counter if it is missing and about to be made.
  bool hold_back(std::uint64_t number, const Contents& contents, const std::optional<Shape>& made = std::nullopt);
  // Returns the action that asks for an offset; nothing if none is missing.
  std::optional<Action> next() const;
  // Tells that offset, in ms east of UTC; nothing if the zone has none. Returns what was held back,
  // unless another offset is missing.
  std::optional<Read> know(std::optional<std::int64_t> offset_ms);

 private:
  std::optional<Period> at(const Shape& shape, std::int64_t unix_ms);
  std::optional<std::int64_t> offset_at(std::int64_t unix_ms);

  std::string zone_;
  std::map<std::int64_t, std::optional<std::int64_t>> offsets_;  // by Unix ms
  std::optional<std::int64_t> missing_;                          // in Unix ms
  std::optional<Read> read_;
  Shape shape_;  // of what was read
};

}  // namespace polyflake::count
