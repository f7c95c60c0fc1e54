// The counter machine, driven by hand over a store that may lose writes: segments.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "count/ceiling.hpp"
#include "counter_expected.hpp"

namespace polyflake::count::by_hand {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

// --- ranges ----------------------------------------------------------------------------------------

TEST(Ranges, are_taken_in_one_round_trip_each_after_the_counter_was_read) {
  FakeStore store;
  Process process(store);
  process.run();
  EXPECT_EQ(process.trips, 1);
  EXPECT_TRUE(process.machine.record());
  expect_range(process.take(100), 1, 101);
  expect_range(process.take(100), 101, 201);
  EXPECT_EQ(process.trips, 3);
  EXPECT_EQ(store.record->next, 201U);
  EXPECT_EQ(store.record->room, 10'000'000U - 200);
}

TEST(Ranges, of_processes_are_disjoint) {
  FakeStore store;
  Process one(store), other(store);
  expect_range(one.take(10), 1, 11);
  expect_range(other.take(10), 11, 21);
  expect_range(one.take(10), 21, 31);
}

TEST(Ranges, are_as_long_as_the_numbers_that_callers_wait_for) {
  FakeStore store;
  Process process(store);
  expect_range(process.take(10, 25), 1, 26);
}

TEST(Ranges, leave_room_for_others_when_there_is_little) {
  FakeStore store(segment(1, 80));
  Process process(store);
  expect_range(process.take(100, 1), 1, 11);
  EXPECT_EQ(store.record->room, 70U);
  expect_range(process.take(100, 20), 11, 31);
  store.record->room = 4;
  process.run();
  Process late(store);
  expect_range(late.take(100, 0), 0, 0);
  EXPECT_EQ(late.adds, 0) << "nothing is asked ahead of need";
  expect_range(late.take(100, 9), 31, 35);
}

TEST(Ranges, that_others_left_too_little_room_for_are_asked_for_again) {
  FakeStore store(segment(1, 80));
  Process process(store);
  process.run();
  Process other(store);
  other.take(70, 70);
  expect_range(process.take(20, 20, 100), 71, 81);
  EXPECT_EQ(process.adds, 2);
}

// --- the ceiling -------------------------------------------------------------------------------------

TEST(Room, grows_with_the_stores_time) {
  FakeStore store(segment(1000, 50));
  Process process(store);
  expect_range(process.take(50, 50), 1, 51);
  process.machine.take(1, 1);
  process.run();
  EXPECT_EQ(process.granted.size(), 1U);
  EXPECT_FALSE(process.code()) << "it comes soon";
  process.run(1);
  ASSERT_EQ(process.granted.size(), 2U);
  expect_range(process.granted[1], 51, 52);
  const Record& record = *store.record;
  EXPECT_EQ(record.next + record.room, static_cast<std::uint64_t>(ceiling(record, store.now_ms)));
}

TEST(Room, that_comes_too_late_for_a_call_is_clock_behind_with_the_way_out) {
  FakeStore store(segment(1, 5));
  Settings impatient = settings(store);
  impatient.timeout_ms = 999;
  Process process(store, impatient);
  process.take(5, 5);
  process.take(1);
  EXPECT_EQ(process.code(), ErrorCode::clock_behind);
  EXPECT_NE(process.machine.failure()->message.find("1000 ms"), std::string::npos)
      << process.machine.failure()->message;
  EXPECT_NE(process.machine.failure()->message.find("raise_counter"), std::string::npos);
  process.run(1000);
  EXPECT_FALSE(process.code());
  expect_range(process.granted.back(), 6, 7);
}

TEST(Heads, are_topped_up_once_a_minute_though_nobody_takes) {
  FakeStore store;
  Process one(store), other(store);
  one.run();
  other.run();
  for (int i = 0; i < 600; ++i) {
    one.run();
    other.run();
    store.now_ms += 1000;
  }
  EXPECT_GE(store.heads.size(), 8U);
  EXPECT_LE(store.heads.size(), 12U) << "by one of them";
  EXPECT_LT(one.trips + other.trips, 50);
  EXPECT_EQ(one.adds + other.adds, 0);
  EXPECT_GE(store.record->head.topped_up_ms, store.now_ms - 80'000);
}

TEST(Heads, that_are_older_than_a_minute_are_topped_up_before_a_range_is_taken) {
  FakeStore store;
  Process process(store);
  process.take(10);
  store.now_ms += 2 * kMinuteMs;
  process.take(10);
  EXPECT_EQ(store.heads.size(), 1U);
  EXPECT_EQ(store.record->head.topped_up_ms, store.now_ms);
  EXPECT_EQ(store.record->room, 10'000'000U - 10);
}

TEST(Heads, leave_ranges_alone_that_are_taken_meanwhile) {
  FakeStore store(segment(1000, 50));
  Process process(store), other(store);
  process.take(20, 20);
  other.run();
  store.now_ms += 2 * kMinuteMs;
  bool once = false;
  process.before_write = [&] {
    if (!std::exchange(once, true)) {
      const Answer taken = step(store.record, other_add(store, 7), store.present());
      EXPECT_EQ(taken.outcome, Outcome::ok);
      EXPECT_EQ(taken.first, 21U);
    }
  };
  expect_range(process.take(20, 20), 28, 48);
  const Record& record = *store.record;
  EXPECT_EQ(record.next + record.room, 71U) << "21, where the process read it, and the burst";
}

TEST(Heads, of_two_processes_at_once_are_written_by_one_of_them) {
  FakeStore store(segment(1000, 50));
  Process one(store), other(store);
  one.take(50, 50);
  other.run();
  store.now_ms += 20;
  one.machine.take(5, 5);
  other.machine.take(5, 5);
  // Both read before either writes.
  EXPECT_TRUE(one.step());
  EXPECT_TRUE(other.step());
  one.run();
  other.run(100);
  EXPECT_EQ(store.heads.size(), 1U);
  EXPECT_EQ(one.granted.size() + other.granted.size(), 3U);
}

// --- the second witness --------------------------------------------------------------------------------

TEST(Clocks, that_differ_by_more_than_a_minute_write_no_head_and_take_what_there_is) {
  for (const std::int64_t sign : {-1, 1}) {
    FakeStore store(segment(1000, 50));
    Process process(store);
    process.take(10, 10);
    process.offset_ms = sign * (kMinuteMs + 1);
    store.now_ms += 2 * kMinuteMs;
    expect_range(process.take(10, 10), 11, 21);
    EXPECT_EQ(store.heads.size(), 0U);
    process.take(30, 30);
    process.take(1);
    EXPECT_EQ(process.code(), ErrorCode::clock_skew);
    EXPECT_EQ(store.heads.size(), 0U);
    process.offset_ms = sign * kMinuteMs;
    process.run(1000);
    EXPECT_FALSE(process.code());
    EXPECT_EQ(store.heads.size(), 1U);
  }
}

TEST(Clocks, that_only_wait_for_an_answer_do_not_differ) {
  FakeStore store(segment(1000, 50));
  Machine machine(settings(store), g_dice);
  const Action read = machine.poll({store.now_ms, 0});
  store.record->room = 0;
  const Contents contents = store.contents();
  machine.take(1, 1);
  store.now_ms += 2 * kMinuteMs;
  machine.deliver(read.number, contents, {store.now_ms, 2 * kMinuteMs});
  EXPECT_FALSE(machine.failure() && machine.failure()->code == ErrorCode::clock_skew);
}

// --- answers that are lost -----------------------------------------------------------------------------

TEST(Ranges, whose_answer_is_lost_belong_to_nobody) {
  FakeStore store;
  Process process(store);
  process.run();
  process.deaf = true;
  process.take(10);
  EXPECT_EQ(process.code(), ErrorCode::store_unavailable);
  EXPECT_EQ(process.granted.size(), 0U);
  EXPECT_EQ(process.adds, 1) << "nothing is repeated blindly";
  process.deaf = false;
  process.run(1000);
  ASSERT_EQ(process.granted.size(), 1U);
  expect_range(process.granted[0], 11, 21);
  EXPECT_FALSE(process.code());
  EXPECT_GE(process.machine.failures(), 1U);
}

TEST(Ranges, whose_answer_belongs_to_another_request_belong_to_nobody) {
  FakeStore store;
  Machine machine(settings(store), g_dice);
  const Time now{store.now_ms, 0};
  const Action add = first_add(machine, store, now);
  Answer answer = step(store.record, add.add, store.present());
  answer.echo = g_dice.word();
  machine.deliver(add.number, answer, now);
  EXPECT_NE(machine.poll(now).kind, Action::Kind::granted);
  EXPECT_EQ(machine.failures(), 1U);
}

TEST(Heads, whose_answer_is_lost_are_looked_for) {
  FakeStore store(segment(1000, 50));
  Process process(store);
  process.take(50, 50);
  store.now_ms += 10;
  process.machine.take(5, 5);
  EXPECT_TRUE(process.step());  // reads
  process.deaf = true;
  EXPECT_TRUE(process.step());
  process.deaf = false;
  process.run(10);
  EXPECT_EQ(store.heads.size(), 1U) << "it was written";
  expect_range(process.granted.back(), 51, 56);
}

TEST(Machines, try_again_less_and_less_often_while_the_store_is_away) {
  FakeStore store;
  Process process(store);
  process.cut_off = true;
  process.machine.take(10, 1);
  process.run(100'000);
  EXPECT_GT(process.trips, 200);
  EXPECT_LT(process.trips, 1000);
  process.cut_off = false;
  process.run(513);
  EXPECT_EQ(process.granted.size(), 1U) << "ids flow at once when it is back";
}

// --- failovers -----------------------------------------------------------------------------------------

TEST(Failovers, are_jumped_over_to_the_ceiling_of_twice_the_tolerance_later) {
  FakeStore store;
  Process process(store);
  process.take(1000);
  const Record survivor = *store.record;
  process.take(5000);
  store.now_ms += kMinuteMs / 2;
  store.fail_over(survivor);
  const Word nonce = survivor.nonce;
  const Wide base = survivor.head.base;
  process.machine.take(10, 10);
  process.run();
  ASSERT_EQ(process.jumped.size(), 1U);
  EXPECT_EQ(process.jumped[0].first, 1001U);
  const auto landed = static_cast<std::uint64_t>(ceiling(survivor, store.now_ms + 2 * kToleranceMs));
  EXPECT_EQ(process.jumped[0].end, landed);
  EXPECT_TRUE(store.record->head.base == base) << "never a fresh burst";
  EXPECT_NE(store.record->nonce, nonce) << "a late return finds another one";
  EXPECT_EQ(store.record->incarnation, store.incarnation);
  EXPECT_EQ(process.granted.size(), 2U) << "no room yet";
  process.run(2 * kToleranceMs);
  EXPECT_EQ(process.granted.size(), 2U);
  process.run(1);
  ASSERT_EQ(process.granted.size(), 3U);
  EXPECT_EQ(process.granted[2].first, landed);
}

TEST(Failovers, in_a_row_that_each_lose_what_was_acknowledged_repeat_no_number) {
  FakeStore store(segment(1000, 50));
  Process process(store);
  std::set<std::uint64_t> numbers;
  std::size_t seen = 0;
  for (int round = 0; round < 20; ++round) {
    process.take(1, 5, 5000);
    const Record survivor = *store.record;
    for (int i = 0; i < 200; ++i) process.take(20, 20, 20 + i % 7);
    store.now_ms -= round % 2 == 0 ? kToleranceMs : -kToleranceMs;
    store.fail_over(survivor);
    if (round % 3 == 0) {  // twice in a row
      process.take(20, 20, 5000);
      store.fail_over(survivor);
    }
    for (; seen < process.granted.size(); ++seen) {
      for (std::uint64_t n = process.granted[seen].first; n < process.granted[seen].end; ++n) {
        ASSERT_TRUE(numbers.insert(n).second) << n << " twice, round " << round;
      }
    }
  }
  EXPECT_GT(numbers.size(), 10'000U);
  EXPECT_EQ(process.code(), std::nullopt);
}

TEST(Failovers, to_a_store_whose_clock_is_behind_the_last_top_up_wait_for_it) {
  FakeStore store;
  Process process(store);
  process.take(10);
  store.now_ms -= 30'000;
  store.fail_over(*store.record);
  process.machine.take(10, 1);
  process.run(20'000);
  EXPECT_EQ(process.code(), ErrorCode::clock_behind) << "too long for a call";
  process.run(9'999);
  EXPECT_TRUE(store.heads.empty());
  process.run(1);
  EXPECT_EQ(process.jumped.size(), 1U);
}

TEST(Failovers, are_noticed_by_idle_processes_too) {
  FakeStore store;
  Process process(store);
  process.run();
  store.fail_over(*store.record);
  process.run(80'000);
  EXPECT_EQ(process.jumped.size(), 1U);
  EXPECT_GT(store.record->room, 0U) << "and topped up";
}

TEST(Failovers, stop_a_counter_that_shall_stop_until_an_operator_sets_it) {
  CounterOptions options;
  options.failover = "stop";
  FakeStore store(options);
  Process process(store);
  process.take(10);
  store.fail_over(*store.record);
  process.machine.take(10, 1);
  process.run(10'000);
  EXPECT_EQ(process.code(), ErrorCode::store_went_back);
  EXPECT_EQ(process.granted.size(), 1U);
  EXPECT_TRUE(store.heads.empty());
  store.incarnation = store.record->incarnation;
  process.run(10'000);
  EXPECT_EQ(process.granted.size(), 1U) << "it stays refused in this process";
  store.set(store.record->head, 500);
  process.run(1000);
  EXPECT_FALSE(process.code());
  expect_range(process.granted.back(), 501, 511);
}

TEST(Failovers, of_a_trusted_store_are_only_written_down) {
  CounterOptions options;
  options.failover = "trust";
  FakeStore store(options);
  EXPECT_EQ(store.record->room, (std::uint64_t{1} << 63) - 2) << "no ceiling";
  Process process(store);
  process.take(10);
  store.fail_over(*store.record);
  process.offset_ms = 10 * kMinuteMs;  // nothing is reckoned
  process.take(10, 1, 10);
  expect_range(process.granted.back(), 11, 21);
  EXPECT_EQ(store.record->incarnation, store.incarnation);
  EXPECT_EQ(process.jumped.size(), 0U);
  store.put_back = true;
  store.fail_over(*store.record);
  process.take(10, 1, 10);
  EXPECT_EQ(process.code(), ErrorCode::store_went_back);
}

TEST(Records, that_were_put_back_are_another_incarnation) {
  FakeStore store;
  Process process(store);
  process.take(10);
  store.put_back = true;
  Process other(store);
  other.machine.take(10, 1);
  other.run();
  EXPECT_EQ(other.jumped.size(), 1U);
}

TEST(Stores, that_cannot_fail_over_have_no_ceiling_and_stop_at_another_incarnation) {
  for (const bool has_clock : {true, false}) {
    FakeStore store;
    store.has_clock = has_clock;
    store.may_fail_over = !has_clock;
    store.set(store.record->head, 0);
    Process process(store);
    process.take(20'000'000);
    EXPECT_EQ(process.granted.back().end, 20'000'001U);
    store.now_ms += 10 * kMinuteMs;
    process.take(10);
    EXPECT_TRUE(store.heads.empty());
    store.fail_over(*store.record);
    process.take(10, 1, 10);
    EXPECT_EQ(process.code(), ErrorCode::store_went_back);
  }
}

// --- what is refused -------------------------------------------------------------------------------------

TEST(Counters, that_went_back_are_refused_until_they_have_another_term) {
  FakeStore store;
  Process process(store);
  process.take(10);
  const Record dump = *store.record;
  process.take(10);
  store.record = dump;  // and nothing tells
  process.take(10, 1, 10);
  EXPECT_EQ(process.code(), ErrorCode::store_went_back);
  EXPECT_EQ(process.granted.size(), 2U) << "the range is not used";
  process.run(10'000);
  EXPECT_EQ(process.granted.size(), 2U);
  store.set(store.record->head, 5);
  process.run(2000);
  EXPECT_EQ(process.code(), ErrorCode::store_went_back) << "this process gave out more: the operator is wrong";
  EXPECT_EQ(process.granted.size(), 2U);
  store.set(store.record->head, 20);
  process.run(2000);
  expect_range(process.granted.back(), 21, 31);
  EXPECT_FALSE(process.code());
}

TEST(Counters, of_a_store_whose_revision_fell_are_refused) {
  FakeStore store;
  store.revision = 100;
  Process process(store);
  process.take(10);
  store.revision = 99;
  process.take(10, 1, 10);
  EXPECT_EQ(process.code(), ErrorCode::store_went_back);
  EXPECT_EQ(process.granted.size(), 1U);
  store.revision = 101;
  process.run(2000);
  EXPECT_EQ(process.granted.size(), 1U);
  store.revision = 50;
  store.set(store.record->head, 20);
  process.run(1000);
  EXPECT_EQ(process.granted.size(), 2U) << "the term is another one";
}

TEST(Counters, at_their_last_number_are_exhausted_and_never_wrap) {
  CounterOptions options = segment(1000, 50);
  options.failover = "stop";
  options.top = 60;
  FakeStore store(options, 50);
  Process process(store);
  expect_range(process.take(100, 10), 51, 61);
  process.take(1, 1, 10);
  EXPECT_EQ(process.code(), ErrorCode::range_exhausted);
  EXPECT_EQ(process.granted.size(), 1U);
}

TEST(Counters, are_refused_if_they_are_not_what_was_opened) {
  const auto code_of = [](FakeStore& store, const Settings& with) {
    Process process(store, with);
    process.take(10, 1, 10);
    EXPECT_EQ(process.adds > 0, !process.code());
    EXPECT_TRUE(store.heads.empty());
    return process.code();
  };
  FakeStore store;
  Settings with = settings(store);
  with.uuid = Word{8, 8};
  EXPECT_EQ(code_of(store, with), ErrorCode::wrong_namespace);
  with.uuid = store.space->uuid;
  EXPECT_EQ(code_of(store, with), std::nullopt);
  with.shape.kind = "date";
  EXPECT_EQ(code_of(store, with), ErrorCode::layout_mismatch);
  FakeStore lost;
  with = settings(lost);
  lost.record.reset();
  EXPECT_EQ(code_of(lost, with), ErrorCode::namespace_not_initialised);
  lost.space.reset();
  EXPECT_EQ(code_of(lost, with), ErrorCode::namespace_not_initialised);
}

TEST(Counters, that_were_removed_are_refused_until_they_are_back) {
  FakeStore store;
  Process process(store);
  process.take(10);
  const auto record = store.record;
  store.record.reset();
  process.take(10, 1, 10);
  EXPECT_EQ(process.code(), ErrorCode::namespace_not_initialised);
  store.record = record;
  process.run(1100);
  EXPECT_EQ(process.granted.size(), 2U);
}

TEST(Counters, that_are_refused_may_be_looked_at_within_a_second_though_no_call_wakes_the_runner) {
  FakeStore store;
  Process process(store);
  process.take(100);
  const auto record = store.record;
  store.record.reset();
  process.run(200'000);  // no call is under way when it sees that
  EXPECT_EQ(process.code(), ErrorCode::namespace_not_initialised);
  ASSERT_LE(process.wake_ms, store.now_ms + 1000);
  store.record = record;
  process.machine.look();
  store.now_ms = process.wake_ms;
  process.run();
  EXPECT_EQ(process.code(), std::nullopt);
}

TEST(Stores, that_give_numbers_which_the_counter_does_not_have_are_refused) {
  for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 63) - 10, UINT64_MAX}) {
    FakeStore store;
    Machine machine(settings(store), g_dice);
    const Time now{store.now_ms, 0};
    const Action add = first_add(machine, store, now);
    machine.deliver(add.number, Answer{Outcome::ok, add.add.echo, first, 5}, now);
    EXPECT_EQ(machine.failure().value().code, ErrorCode::store_misconfigured) << first;
    EXPECT_NE(machine.poll(now).kind, Action::Kind::granted);
  }
}

}  // namespace
}  // namespace polyflake::count::by_hand
