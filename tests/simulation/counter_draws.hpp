// The draws of a schedule of a counter: how much it gives out, and in what steps.
#pragma once

#include <polyflake/counter_options.hpp>

#include <cstddef>
#include <cstdint>

#include "simulation/counter_process.hpp"
#include "simulation/counter_store.hpp"
#include "simulation/dice.hpp"

namespace polyflake::simulation {

template <class T, std::size_t n>
T one_of(const T (&values)[n], Dice& dice) {
  return values[dice.below(n)];
}

// Mostly so little that processes reach the ceiling. digits: of a date.
inline CounterOptions draw_options(const CounterKind& kind, std::uint64_t digits, Dice& dice) {
  constexpr std::uint64_t kRates[] = {2, 10, 50, 300, 2000};
  constexpr std::uint64_t kBursts[] = {5, 20, 100, 500, 3000};
  CounterOptions options;
  options.kind = kind.kind;
  options.failover = kind.failover;
  if (options.kind == "date") {
    options.digits = digits;
  } else {
    options.rate = one_of(kRates, dice);
    options.burst = one_of(kBursts, dice);
  }
  return options;
}

inline void draw_use(CounterUse& use, Dice& dice) {
  constexpr std::uint64_t kSteps[] = {0, 1, 2, 10, 50};
  constexpr std::uint64_t kNumbers[] = {2, 6, 30};
  if (const std::uint64_t step = one_of(kSteps, dice)) use.step = step;
  use.numbers = one_of(kNumbers, dice);
}

}  // namespace polyflake::simulation
