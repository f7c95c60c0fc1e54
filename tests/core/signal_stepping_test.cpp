// A signal handler that asks for ids at any instruction of a call of its own thread, on the same generator: no id
// twice, and the ids of the thread rise, but for those of the two calls that lie within each other.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <ostream>
#include <vector>

#include "on_manual_clock.hpp"
#include "stepping.hpp"

namespace polyflake::test {
namespace {

using Ids = std::vector<std::uint64_t>;

// Asks for this many ids, into memory that the caller has.
using Call = void (*)(Generator&, std::uint64_t* ids, std::size_t count);

void call_next_id(Generator& generator, std::uint64_t* ids, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) ids[i] = generator.next_id();
}
void call_try(Generator& generator, std::uint64_t* ids, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) ids[i] = generator.try_next_id().value();
}
void call_fill(Generator& generator, std::uint64_t* ids, std::size_t count) { generator.fill(ids, count); }

// What the handler does, and when.
volatile long g_steps = 0;
volatile long g_interrupt_at = 0;
Generator* g_generator = nullptr;
Call g_handler_call = nullptr;
std::uint64_t g_handler_ids[2];

void on_step(int, siginfo_t*, void* context) {
  g_steps = g_steps + 1;
  if (g_steps != g_interrupt_at) return;
  g_handler_call(*g_generator, g_handler_ids, 2);
  step_no_more(context);
}

// Calls for `count` ids; at each of its instructions in turn, or at every one of `stride`, the handler gets two.
// `prepare` comes before each call.
void interrupt_everywhere(Generator& generator, const std::function<void()>& prepare, Call call, std::size_t count,
                          Call handler_call, long stride = 1) {
  const StepHandler handler(on_step);
  g_generator = &generator;
  g_handler_call = handler_call;
  Ids ids(count);
  long at = 1;
  for (;; at += stride) {
    prepare();
    const std::uint64_t issued = generator.stats().issued;
    const std::uint64_t before = generator.next_id();
    g_steps = 0;
    g_interrupt_at = at;
    step_from_here();
    call(generator, ids.data(), count);
    step_no_more();
    if (g_steps < at) break;  // the call ended before
    const std::uint64_t after = generator.next_id();
    ASSERT_TRUE(std::is_sorted(ids.begin(), ids.end())) << "instruction " << at;
    ASSERT_LT(g_handler_ids[0], g_handler_ids[1]) << "instruction " << at;
    Ids all = ids;
    all.insert(all.end(), g_handler_ids, g_handler_ids + 2);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an id twice, at instruction " << at;
    ASSERT_LT(before, all.front()) << "instruction " << at;
    ASSERT_LT(all.back(), after) << "instruction " << at;
    ASSERT_EQ(generator.stats().issued - issued, all.size() + 2) << "instruction " << at;
  }
  std::printf("interrupted at %ld places\n", at / stride);
  EXPECT_GT(at, 100);
}

Options with_reserves() {
  Options options;
  options.worker = 5;
  options.ordering = Ordering::per_thread;
  options.max_wait_ms = 1000;
  options.sequence_spread = 1;
  return options;
}

// The first reserve of a tick is 64 positions, of 4096.
struct WithReserves : OnManualClock {
  WithReserves() : OnManualClock(with_reserves()) { generator.next_id(); }
  // With the one more that is taken before the call, so many are left.
  void leave(int positions) {
    begin_a_tick();
    for (int i = 0; i < 63 - positions; ++i) generator.next_id();
  }
  void leave_none_of_the_tick() {
    begin_a_tick();
    while (generator.layout().unpack(generator.next_id()).sequence < 4094) {
    }
  }
};

struct Interruption {
  const char* name;
  Call call;
  std::size_t count;
  Call handler_call;
};

class Interruptions : public testing::TestWithParam<Interruption> {
 protected:
  void everywhere(const std::function<void()>& prepare, long stride = 1) {
    const Interruption& param = GetParam();
    interrupt_everywhere(with.generator, prepare, param.call, param.count, param.handler_call, stride);
  }
  WithReserves with;
};

TEST_P(Interruptions, where_a_reserve_is_left) {
  everywhere([&] { with.begin_a_tick(); });
}

TEST_P(Interruptions, where_one_id_of_a_reserve_is_left) {
  everywhere([&] { with.leave(1); });
}

TEST_P(Interruptions, where_a_reserve_is_used_up) {
  everywhere([&] { with.leave(0); });
}

TEST_P(Interruptions, where_a_tick_is_used_up) {
  everywhere([&] { with.leave_none_of_the_tick(); }, 3);
}

// The same on the system clock, where ticks end at any place. The way of a call varies, so strides come to all places.
TEST_P(Interruptions, where_ticks_end_at_any_time) {
  Options options = with_reserves();
  options.worker = 21;
  Generator generator(options);
  interrupt_everywhere(generator, [] {}, GetParam().call, GetParam().count, GetParam().handler_call, 3);
}

constexpr Interruption kInSingle{"next_id_in_next_id", call_next_id, 1, call_next_id};
constexpr Interruption kInBatch{"next_id_in_fill", call_fill, 3, call_next_id};
constexpr Interruption kBatch{"fill_in_next_id", call_next_id, 1, call_fill};

void PrintTo(const Interruption& interruption, std::ostream* out) { *out << interruption.name; }

INSTANTIATE_TEST_SUITE_P(Ids, Interruptions, testing::Values(kInSingle, kInBatch, kBatch),
                         [](const auto& param) { return param.param.name; });

TEST(Tries, rise_around_the_ids_of_a_handler) {
  WithReserves with;
  interrupt_everywhere(with.generator, [&] { with.begin_a_tick(); }, call_try, 1, call_try);
}

}  // namespace
}  // namespace polyflake::test
