// Expectations of tests that drive a machine by hand.
#pragma once

#include <gtest/gtest.h>

#include "counter_by_hand.hpp"

namespace polyflake::count::by_hand {

// Delivers the counter to a machine, and returns the add that it then asks for.
inline Action first_add(Machine& machine, const FakeStore& store, Time now) {
  machine.deliver(machine.poll(now).number, store.contents(), now);
  machine.take(10, 1);
  Action add = machine.poll(now);
  EXPECT_EQ(add.kind, Action::Kind::add);
  return add;
}

inline void expect_range(const Numbers& numbers, std::uint64_t first, std::uint64_t end) {
  EXPECT_EQ(numbers.first, first);
  EXPECT_EQ(numbers.end, end);
}

}  // namespace polyflake::count::by_hand
