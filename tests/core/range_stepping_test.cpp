// Interrupts a call for a number, and the installing of a range, at every instruction: a signal handler does there what
// another thread may do, or forks.
#include <polyflake/detail/range.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <set>

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
  const auto stepped = [call] {
    g_left_before = g_range.left();
    step_from_here();
    const std::uint64_t number = call();
    step_no_more();
    // The copy's own number has the highest bit set.
    const bool own = g_copy && !g_taken_before_fork && number != kNone;
    return number | (own ? Range::kFrozen : 0);
  };
  for (const auto& outcome : forked_in_a_call<std::uint64_t>(1, 1, stepped)) {
    ASSERT_NE(outcome.parent, kNone);
    if (outcome.child == kNone) {
      ++refused;
    } else {
      ASSERT_EQ(outcome.child & Range::kFrozen, 0U)
          << "a number of the copy's own, forked at instruction " << outcome.at;
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

// --- another thread ------------------------------------------------------------------------------------

std::function<void()> g_other;

void act_on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_steps != g_act_at) return;
  g_other();
  step_no_more(context);
}

// Runs `work` once for each of its instructions, after which `other` runs. `prepare` comes before, `check` after.
void interrupt_everywhere(const std::function<void()>& prepare, const std::function<void()>& work,
                          const std::function<void()>& other, const std::function<void(long)>& check) {
  const StepHandler handler(act_on_step);
  g_other = other;
  long at = 1;
  for (;; ++at) {
    prepare();
    g_steps = 0;
    g_act_at = at;
    step_from_here();
    work();
    step_no_more();
    if (g_steps < at) break;
    check(at);
  }
  EXPECT_GT(at, 10);
}

// Ranges [b, b + 10) and [b + 15, b + 25), and a number between them that was taken.
struct Gap {
  Range range;
  std::uint64_t between = 0;
  Gap() {
    range.install(10, 20);
    for (int i = 0; i < 13; ++i) between = range.take();
  }
};

TEST(Ranges, that_are_half_installed_hold_no_number_between_them_and_the_former_one) {
  std::optional<Gap> gap;
  bool held = false;
  interrupt_everywhere([&] { gap.emplace(); }, [&] { gap->range.install(25, 35); },
                       [&] { held = gap->range.holds(gap->between); },
                       [&](long at) { ASSERT_FALSE(held) << "instruction " << at; });
}

TEST(Ranges, that_are_installed_during_a_check_hold_no_number_between_them_and_the_former_one) {
  std::optional<Gap> gap;
  bool held = false;
  interrupt_everywhere([&] { gap.emplace(); }, [&] { held = gap->range.holds(gap->between); },
                       [&] { gap->range.install(25, 35); },
                       [&](long at) { ASSERT_FALSE(held) << "instruction " << at; });
  Range::Numbers some{};
  interrupt_everywhere(
      [&] { gap.emplace(); }, [&] { some = gap->range.take_some(5); }, [&] { gap->range.install(25, 35); },
      [&](long at) { ASSERT_TRUE(some.count == 0 || (some.first == 25 && some.count == 5)) << "instruction " << at; });
}

// One that ends where the new range begins, and one far below it.
TEST(Ranges, that_are_half_installed_give_each_number_once) {
  for (const std::uint64_t first : {std::uint64_t{20}, std::uint64_t{40}}) {
    std::optional<Range> range;
    std::uint64_t taken = 0;
    interrupt_everywhere(
        [&] {
          range.emplace();
          range->install(10, 20);
          for (int i = 0; i < 10; ++i) range->take();
        },
        [&] { range->install(first, first + 10); }, [&] { taken = range->take(); },
        [&](long at) {
          std::set<std::uint64_t> numbers = {taken};
          for (int i = 0; i < 12; ++i) ASSERT_TRUE(numbers.insert(range->take()).second) << "instruction " << at;
        });
  }
}

TEST(Ranges, that_are_frozen_at_any_instruction_stay_so_and_tell_of_each_take) {
  std::optional<Range> range;
  std::uint64_t number = 0, left = 0;
  const auto prepare = [&] {
    range.emplace();
    range->install(10, 20);
  };
  const auto take = [&] {
    number = range->take();
    if (!range->holds(number)) number = 0;
  };
  const auto freeze = [&] { left = range->freeze(); };
  const auto check = [&](long at) {
    ASSERT_TRUE(number < left) << "instruction " << at;
    ASSERT_FALSE(range->holds(range->take()));
  };
  interrupt_everywhere(prepare, take, freeze, check);
  interrupt_everywhere(prepare, freeze, take, check);
  interrupt_everywhere(
      prepare, [&] { range->install(20, 30); }, freeze, [&](long) { ASSERT_FALSE(range->holds(range->take())); });
}

}  // namespace
}  // namespace polyflake::test
