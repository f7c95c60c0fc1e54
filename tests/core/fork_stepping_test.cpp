// A signal handler that forks at any instruction of a call: the call goes on in parent and child, and both
// must not come to the same id.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "forks_in_calls.hpp"
#include "on_manual_clock.hpp"
#include "with_worker.hpp"

namespace polyflake::test {
namespace {

constexpr std::uint64_t kRefused = UINT64_MAX;  // a call raised forked_generator

std::uint64_t stepped_through(std::uint64_t (*call)(Generator&), Generator& generator) {
  std::uint64_t id = kRefused;
  try {
    step_from_here();
    id = call(generator);
    step_no_more();
  } catch (const Error& error) {  // reached by copies only, and they do not step
    if (error.code() != ErrorCode::forked_generator) std::abort();
  }
  return id;
}

// Forks at every instruction of the call, or at every one of `stride`, in one call or at every one of `apart` in each of several;
// `prepare` comes before each.
void fork_everywhere(const std::function<void()>& prepare, std::uint64_t (*call)(Generator&), Generator& generator,
                     long stride = 1, long apart = 32) {
  const StepHandler handler(fork_on_step);
  const long every = std::max(stride, apart);
  long refused = 0, longest = 0;
  for (long first = 1; first <= every; first += stride) {
    prepare();
    for (const auto& outcome :
         forked_in_a_call<std::uint64_t>(first, every, [&] { return stepped_through(call, generator); })) {
      ASSERT_NE(outcome.parent, kRefused);
      if (outcome.child == kRefused) {
        ++refused;
        continue;
      }
      ASSERT_EQ(outcome.child, outcome.parent) << "a copy issued an id of its own under the node id of its parent";
      longest = std::max(longest, outcome.left);
      ASSERT_LE(outcome.left, kHandedOut)
          << "both came to id " << outcome.child << ", forked at instruction " << outcome.at;
    }
  }
  std::printf("%ld places refused in the copy, handed out %ld instructions before the end\n", refused, longest);
  EXPECT_GT(refused, 20);
}

std::uint64_t next_of(Generator& generator) { return generator.next_id(); }
std::uint64_t try_of(Generator& generator) { return *generator.try_next_id(); }
std::uint64_t batch_of(Generator& generator) {
  std::uint64_t ids[5];
  generator.fill(ids, 5);
  return ids[0];
}

TEST(ForksInSignalHandlers, next_id_gives_no_id_twice) {
  Generator generator(with_worker(11));
  for (int round = 0; round < 4; ++round) fork_everywhere([] {}, next_of, generator);
}

TEST(ForksInSignalHandlers, try_next_id_gives_no_id_twice) {
  Generator generator(with_worker(12));
  fork_everywhere([] {}, try_of, generator);
}

TEST(ForksInSignalHandlers, fill_gives_no_id_twice) {
  Generator generator(with_worker(13));
  fork_everywhere([] {}, batch_of, generator);
}

TEST(ForksInSignalHandlers, next_id_per_thread_gives_no_id_twice) {
  Options options = with_worker(16);
  options.ordering = Ordering::per_thread;
  Generator generator(options);
  fork_everywhere([] {}, next_of, generator);
}

// It is known which calls have something left of a reserve: the first one of a tick is 64 positions.
struct WithReserves : OnManualClock {
  WithReserves() : OnManualClock(options()) { generator.next_id(); }
  static Options options() {
    Options options = with_worker(5);
    options.ordering = Ordering::per_thread;
    options.max_lead_ms = 1000;
    return options;
  }
};

TEST(ForksInSignalHandlers, next_id_from_a_reserve_gives_no_id_twice) {
  WithReserves with;
  const auto begin_a_reserve = [&] {
    with.begin_a_tick();
    with.generator.next_id();
  };
  fork_everywhere(begin_a_reserve, next_of, with.generator);
}

TEST(ForksInSignalHandlers, next_id_that_drops_a_reserve_and_takes_another_gives_no_id_twice) {
  WithReserves with;
  fork_everywhere([&] { with.begin_a_tick(); }, next_of, with.generator);
}

TEST(ForksInSignalHandlers, fill_that_uses_up_a_reserve_and_goes_on_gives_no_id_twice) {
  WithReserves with;
  const auto leave_two = [&] {
    with.begin_a_tick();
    for (int i = 0; i < 62; ++i) with.generator.next_id();
  };
  fork_everywhere(leave_two, batch_of, with.generator);
}

TEST(ForksInSignalHandlers, next_id_ahead_of_the_clock_in_place_of_a_reserve_gives_no_id_twice) {
  WithReserves with;
  with.generator.next_ids(4096);
  fork_everywhere([] {}, next_of, with.generator);
}

TEST(ForksInSignalHandlers, fill_over_several_ticks_gives_no_id_twice) {
  Options options = with_worker(15);
  options.layout = "timestamp:41 worker:18 sequence:1 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  options.max_lead_ms = 1000;
  Generator generator(options);
  fork_everywhere([] {}, batch_of, generator, 7);
}

TEST(ForksInSignalHandlers, next_id_that_has_to_wait_gives_no_id_twice) {
  Options options = with_worker(14);
  options.layout = "timestamp:41 worker:18 sequence:4 tick=10ms epoch=2020-01-01T00:00:00.000Z";
  options.max_wait_ms = 1000;
  Generator generator(options);
  const auto use_up_this_tick = [&] {
    while (generator.try_next_id()) {
    }
  };
  fork_everywhere(use_up_this_tick, next_of, generator, 1, 128);  // more copies in a call would outlast the tick
}

}  // namespace
}  // namespace polyflake::test
