// Days of some seconds with labels in a row, so that schedules cross several midnights, and a number
// that is carried out of one day is one of the next.
#pragma once

#include <cstdint>
#include <optional>

#include "count/period.hpp"
#include "simulation/dice.hpp"

namespace polyflake::simulation {

struct ShortDays {
  // now_ms is on one of them, at any hour.
  ShortDays(std::int64_t of_ms, std::int64_t now_ms, Dice& dice)
      : length_ms(of_ms), first_ms(now_ms - dice.between(0, of_ms - 1) - kDaysBefore * of_ms) {}

  count::PeriodOf period_of() const {
    return [days = *this](std::int64_t unix_ms) {
      const std::int64_t day = (unix_ms - days.first_ms) / days.length_ms;
      const std::int64_t start_ms = days.first_ms + day * days.length_ms;
      return std::optional(
          count::Period{kFirstLabel + static_cast<std::uint64_t>(day), start_ms, start_ms + days.length_ms});
    };
  }
  std::int64_t ms_left(std::int64_t unix_ms) const { return length_ms - (unix_ms - first_ms) % length_ms; }

  const std::int64_t length_ms;
  const std::int64_t first_ms;  // the beginning of the first one

 private:
  static constexpr std::uint64_t kFirstLabel = 20'000'101;
  static constexpr std::int64_t kDaysBefore = 1000;
};

}  // namespace polyflake::simulation
