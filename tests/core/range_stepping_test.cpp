// A fork at any instruction of a call for a number: the copy must not return a number that it takes itself.
#include <polyflake/detail/range.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "forks_in_calls.hpp"

namespace polyflake::test {
namespace {

constexpr std::uint64_t kNone = 0;

Range g_range;
std::uint64_t g_left_before = 0;
volatile bool g_taken_before_fork = false;

void fork_and_note(int signal, siginfo_t* info, void* context) {
  fork_on_step(signal, info, context);
  if (g_copy) g_taken_before_fork = g_range.left() != g_left_before;
}

std::uint64_t take_one() {
  const std::uint64_t number = g_range.take();
  return g_range.holds(number) ? number : kNone;
}
std::uint64_t take_some() {
  const Range::Numbers numbers = g_range.take_some(2);
  return numbers.count == 0 ? kNone : numbers.first;
}

void fork_everywhere(std::uint64_t (*call)()) {
  const StepHandler handler(fork_and_note);
  long refused = 0, after = 0;
  for (long at = 1, beyond = 0; beyond < 3; ++at) {
    const auto outcome = forked_after<std::uint64_t>(at, [call] {
      g_left_before = g_range.left();
      step_from_here();
      const std::uint64_t number = call();
      step_no_more();
      // The copy's own number has the highest bit set.
      const bool own = g_copy && !g_taken_before_fork && number != kNone;
      return number | (own ? Range::kFrozen : 0);
    });
    ASSERT_NE(outcome.parent, kNone);
    if (!outcome.forked) {
      ++beyond;
    } else if (outcome.child == kNone) {
      ++refused;
    } else {
      ASSERT_EQ(outcome.child & Range::kFrozen, 0U) << "a number of the copy's own, forked at instruction " << at;
      ++after;
    }
  }
  std::printf("%ld places where the copy is refused, %ld after the check\n", refused, after);
  EXPECT_GT(refused, 5);
}

TEST(Forks, at_any_instruction_of_a_take_give_the_copy_no_number_of_its_own) {
  g_range.install(1, 1'000'000);
  fork_everywhere(take_one);
  fork_everywhere(take_some);
}

}  // namespace
}  // namespace polyflake::test
