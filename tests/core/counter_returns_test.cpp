// Counters: what is given back, what a store says to late copies of requests, and the tasks of operators.
#include <gtest/gtest.h>

#include <cstdint>

#include "count/task.hpp"
#include "counter_expected.hpp"
#include "expect_error.hpp"

namespace polyflake::count::by_hand {
namespace {

void close(Process& process, std::uint64_t first_unused) {
  process.machine.close(first_unused);
  process.run();
  EXPECT_TRUE(process.done);
}

// --- returns -----------------------------------------------------------------------------------------

TEST(Returns, give_back_what_is_left_of_the_last_range) {
  FakeStore store;
  Process process(store);
  process.take(10);
  close(process, 4);
  ASSERT_EQ(store.backs.size(), 1U);
  EXPECT_EQ(store.record->next, 4U);
  EXPECT_EQ(store.record->room, 10'000'000U - 3);
  Process next(store);
  expect_range(next.take(10), 4, 14);
}

TEST(Returns, give_back_what_is_left_of_two_neighbours) {
  FakeStore store;
  Process process(store);
  process.take(10);
  process.take(10);
  close(process, 4);
  EXPECT_EQ(store.record->next, 4U);
}

TEST(Returns, are_of_the_last_range_alone_if_the_head_was_written_meanwhile) {
  FakeStore store;
  Process process(store);
  process.take(10);
  process.take(10);
  store.record->head.nonce = {1, 2};
  close(process, 4);
  EXPECT_EQ(store.backs.size(), 2U) << "the first one was refused";
  EXPECT_EQ(store.record->next, 11U) << "and 4 to 10 are left out";
}

TEST(Returns, forfeit_what_is_not_in_one_piece_with_the_last_range) {
  FakeStore store;
  Process process(store), other(store);
  process.take(10);
  other.take(5);
  process.take(10);  // [16, 26)
  close(process, 4);
  EXPECT_EQ(store.record->next, 16U) << "and 4 to 10 are left out";
}

TEST(Returns, are_refused_once_another_process_took_numbers) {
  FakeStore store;
  Process process(store), other(store);
  process.take(10);
  other.take(5);
  close(process, 4);
  EXPECT_EQ(store.backs.size(), 1U);
  EXPECT_EQ(store.record->next, 16U);
}

TEST(Returns, are_refused_also_if_next_is_where_it_was) {
  FakeStore store;
  Process process(store), other(store);
  process.take(10);
  other.take(5);
  close(other, 11);  // all of it: `next` is 11 again
  ASSERT_EQ(store.record->next, 11U);
  close(process, 4);
  EXPECT_EQ(store.record->next, 11U) << "the nonce is compared, not the value";
}

TEST(Returns, that_arrive_twice_count_once) {
  FakeStore store(segment(), 1000);
  Process process(store);
  process.take(10);
  close(process, 1004);
  EXPECT_EQ(step(store.record, store.backs[0], store.present()).outcome, Outcome::conflict);
  EXPECT_EQ(store.record->next, 1004U);
}

// A process that was granted [1001, 1011) and [1011, 1021).
struct Granted {
  FakeStore store{segment(), 1000};
  Machine machine{settings(store), g_dice};
  Time now{store.now_ms, 0};
  Action last;
  Granted() {
    carry_out(first_add(machine, store, now));
    machine.take(10, 1);
    last = machine.poll(now);
    carry_out(last);
  }
  void carry_out(const Action& add) {
    machine.deliver(add.number, step(store.record, add.add, store.present()), now);
    EXPECT_EQ(machine.poll(now).kind, Action::Kind::granted);
  }
};

TEST(Returns, take_no_numbers_of_others_if_an_add_arrives_twice) {
  Granted granted;
  FakeStore& store = granted.store;
  Process other(store);
  expect_range(other.take(10), 1021, 1031);
  step(store.record, granted.last.add, store.present());  // a second copy, late in the network: [1031, 1041)
  granted.machine.close(1004);
  step(store.record, granted.machine.poll(granted.now).back, store.present());
  EXPECT_GE(store.record->next, 1031U) << "the numbers up to 1030 are in use";
}

// The schedule of seed 1204408, when what was left of two ranges was given back.
TEST(Returns, that_arrive_twice_after_an_add_that_arrives_twice_free_no_used_number) {
  Granted granted;
  FakeStore& store = granted.store;
  granted.machine.close(1002);
  const Action back = granted.machine.poll(granted.now);
  step(store.record, back.back, store.present());
  step(store.record, granted.last.add, store.present());  // the nonce is that of the add again
  step(store.record, back.back, store.present());
  EXPECT_GE(store.record->next, 1002U) << "1001 is in use";
}

TEST(Returns, of_nothing_are_not_sent) {
  FakeStore store;
  Process process(store), idle(store);
  process.take(10);
  close(process, 11);
  idle.run();
  close(idle, 0);
  Process unread(store);
  close(unread, 0);
  EXPECT_TRUE(store.backs.empty());
}

TEST(Returns, beyond_the_last_range_are_of_nothing) {
  FakeStore store;
  Process process(store);
  process.take(10);
  close(process, std::uint64_t{1} << 63);
  EXPECT_TRUE(store.backs.empty());
}

TEST(Returns, take_along_the_range_of_an_add_that_is_under_way) {
  FakeStore store;
  Machine machine(settings(store), g_dice);
  const Time now{store.now_ms, 0};
  const Action add = first_add(machine, store, now);
  machine.close(0);
  EXPECT_EQ(machine.poll(now).kind, Action::Kind::sleep);
  machine.deliver(add.number, step(store.record, add.add, store.present()), now);
  const Action back = machine.poll(now);
  ASSERT_EQ(back.kind, Action::Kind::back) << "and nothing is granted";
  EXPECT_EQ(back.back.n, 10U);
  machine.deliver(back.number, step(store.record, back.back, store.present()), now);
  EXPECT_EQ(store.record->next, 1U);
  EXPECT_EQ(machine.poll(now).kind, Action::Kind::done);
}

TEST(Returns, are_tried_once) {
  FakeStore store;
  Process process(store);
  process.take(10);
  process.deaf = true;
  close(process, 4);
  EXPECT_EQ(store.backs.size(), 1U);
}

TEST(Returns, are_of_the_last_known_range_if_a_later_answer_was_lost) {
  FakeStore store;
  Process process(store);
  process.take(10);
  process.cut_off = true;
  process.take(10);
  process.cut_off = false;
  close(process, 4);
  EXPECT_EQ(store.record->next, 4U) << "the add never arrived";
}

TEST(Returns, of_a_former_term_are_not_sent) {
  FakeStore store;
  Process process(store);
  process.take(10);
  store.set(store.record->head, 500);
  process.take(10, 1, 100);
  EXPECT_EQ(process.granted.back().first, 501U);
  close(process, 3);
  EXPECT_EQ(store.record->next, 501U) << "of the new term alone";
}

// --- what a store compares ---------------------------------------------------------------------------

struct Taken {
  FakeStore store;
  Process process{store};
  Back back;
  Add add;
  Taken() {
    process.take(10);
    add = other_add(store, 5);
    static_cast<Request&>(back) = add;
    back.nonce = store.record->nonce;
    back.n = 3;
  }
};

TEST(Stores, carry_out_what_is_as_it_was_read) {
  Taken taken;
  EXPECT_EQ(step(taken.store.record, taken.back, taken.store.present()).outcome, Outcome::ok);
  EXPECT_EQ(step(taken.store.record, taken.add, taken.store.present()).first, 8U);
}

template <class Change>
void expect_refused(Outcome outcome, const Change& change) {
  Taken taken;
  change(taken);
  const std::uint64_t next = taken.store.record ? taken.store.record->next : 0;
  EXPECT_EQ(step(taken.store.record, taken.add, taken.store.present()).outcome, outcome);
  EXPECT_EQ(step(taken.store.record, taken.back, taken.store.present()).outcome, outcome);
  EXPECT_EQ(taken.store.record ? taken.store.record->next : 0, next);
}

TEST(Stores, refuse_requests_to_another_namespace_counter_term_or_incarnation) {
  expect_refused(Outcome::wrong_namespace, [](Taken& taken) { taken.store.space->uuid = {8, 8}; });
  expect_refused(Outcome::wrong_namespace, [](Taken& taken) { taken.store.space.reset(); });
  expect_refused(Outcome::absent, [](Taken& taken) { taken.store.record.reset(); });
  expect_refused(Outcome::term, [](Taken& taken) { taken.store.record->term = {8, 8}; });
  expect_refused(Outcome::incarnation, [](Taken& taken) { taken.store.incarnation = "second"; });
  expect_refused(Outcome::incarnation, [](Taken& taken) { taken.store.record->incarnation = "second"; });
  expect_refused(Outcome::incarnation, [](Taken& taken) {
    taken.store.incarnation = "second";  // and the client has seen it, and no process has jumped
    taken.add.incarnation = taken.back.incarnation = "second";
  });
}

TEST(Stores, refuse_adds_beyond_the_room_and_after_the_period) {
  Taken taken;
  Add add = taken.add;
  add.n = taken.store.record->room + 1;
  EXPECT_EQ(step(taken.store.record, add, taken.store.present()).outcome, Outcome::room);
  add = taken.add;
  add.until_ms -= 1;
  EXPECT_EQ(step(taken.store.record, add, taken.store.present()).outcome, Outcome::until);
  taken.store.now_ms = taken.store.record->until_ms;
  EXPECT_EQ(step(taken.store.record, taken.add, taken.store.present()).outcome, Outcome::until);
}

TEST(Stores, refuse_heads_that_were_written_meanwhile) {
  Taken taken;
  WriteHead head;
  static_cast<Request&>(head) = taken.add;
  head.record = *taken.store.record;
  EXPECT_EQ(step(taken.store.record, head, taken.store.present()).outcome, Outcome::conflict) << "there is a counter";
  head.head_nonce = taken.store.record->head.nonce;
  head.record.head.nonce = g_dice.word();
  head.room_change = -3;
  EXPECT_EQ(step(taken.store.record, head, taken.store.present()).outcome, Outcome::ok);
  EXPECT_EQ(taken.store.record->room, 10'000'000U - 13);
  EXPECT_EQ(taken.store.record->nonce, taken.back.nonce) << "numbers may be given back still";
  EXPECT_EQ(step(taken.store.record, head, taken.store.present()).outcome, Outcome::conflict);
}

// --- tasks of operators ------------------------------------------------------------------------------

// Carries out a task.
void run(FakeStore& store, Task& task) {
  for (;;) {
    const Action action = task.next({store.now_ms, store.now_ms});
    if (action.kind == Action::Kind::done) return;
    if (action.kind == Action::Kind::sleep) store.now_ms = action.mono_ms;
    else if (action.kind == Action::Kind::read) task.deliver(store.contents());
    else task.deliver(step(store.record, action.head, store.present()));
  }
}

void init(FakeStore& store, std::uint64_t after, const CounterOptions& options = segment()) {
  InitTask task("orders", after, options, periods_of, "host-1/4711", g_dice);
  run(store, task);
}

void raise(FakeStore& store, std::uint64_t after, std::optional<std::uint64_t> period = std::nullopt) {
  RaiseTask task("orders", after, period, periods_of, "", g_dice);
  run(store, task);
}

TEST(Inits, make_a_counter_after_the_last_number_that_is_taken) {
  FakeStore store;
  store.record.reset();
  init(store, 41, segment(1000, 50));
  EXPECT_EQ(store.record->next, 42U);
  EXPECT_EQ(store.record->room, 50U);
  EXPECT_EQ(store.record->incarnation, "first");
  EXPECT_EQ(store.record->label, "host-1/4711");
  EXPECT_NE(store.record->term, Word{});
  EXPECT_NE(store.record->nonce, Word{});
  EXPECT_NE(store.record->head.nonce, Word{});
}

TEST(Inits, leave_a_counter_of_the_same_shape_alone) {
  FakeStore store;
  const Word nonce = store.record->head.nonce;
  init(store, 41, segment(77, 77));
  EXPECT_EQ(store.record->next, 1U);
  EXPECT_EQ(store.record->head.nonce, nonce);
  EXPECT_ERROR(init(store, 0, date()), layout_mismatch);
}

TEST(Inits, are_refused_without_a_namespace_and_for_dates_without_a_clock) {
  FakeStore store;
  store.record.reset();
  EXPECT_ERROR(InitTask("Orders", 0, {}, periods_of, "", g_dice), option_invalid);
  store.has_clock = false;
  EXPECT_ERROR(init(store, 0, date()), option_invalid);
  CounterOptions named = date();
  named.zone = "Europe/Berlin";
  store.has_clock = true;
  EXPECT_ERROR(init(store, 0, named), option_invalid);
  store.space.reset();
  EXPECT_ERROR(init(store, 0), namespace_not_initialised);
  EXPECT_FALSE(store.record);
}

TEST(Inits, whose_answer_is_lost_look_what_came_of_it) {
  FakeStore store;
  store.record.reset();
  InitTask task("orders", 41, {}, periods_of, "", g_dice);
  const Time now{store.now_ms, 0};
  EXPECT_EQ(task.next(now).kind, Action::Kind::read);
  task.deliver(store.contents());
  step(store.record, task.next(now).head, store.present());
  task.deliver_nothing("no answer");
  EXPECT_EQ(task.next(now).kind, Action::Kind::sleep);
  const Time later{store.now_ms, 1000};
  EXPECT_EQ(task.next(later).kind, Action::Kind::read);
  task.deliver(store.contents());
  EXPECT_EQ(task.next(later).kind, Action::Kind::done);
  EXPECT_EQ(store.record->next, 42U);
}

TEST(Inits, are_done_by_the_answer_to_their_own_request_alone) {
  FakeStore store;
  store.record.reset();
  InitTask task("orders", 41, {}, periods_of, "", g_dice);
  const Time now{store.now_ms, 0};
  task.next(now);
  task.deliver(store.contents());
  task.deliver(Answer{Outcome::ok, g_dice.word()});
  EXPECT_NE(task.next({store.now_ms, 1000}).kind, Action::Kind::done);
}

TEST(Inits, of_a_store_that_is_not_there_fail_at_once) {
  InitTask task("orders", 41, {}, periods_of, "", g_dice);
  task.next({0, 0});
  EXPECT_ERROR(task.deliver_nothing("no server"), store_unavailable);
}

TEST(Raises, set_the_next_number_also_a_lower_one_in_a_new_term) {
  FakeStore store(segment(1000, 50));
  Process process(store);
  process.take(10);
  const Record before = *store.record;
  store.incarnation = "second";
  store.now_ms += 5000;
  raise(store, 4);
  const Record& record = *store.record;
  EXPECT_EQ(record.next, 5U);
  EXPECT_EQ(record.room, 50U);
  EXPECT_EQ(record.head.base, 5 + 50 - store.now_ms);
  EXPECT_EQ(record.incarnation, "second");
  EXPECT_EQ(record.head.topped_up_ms, store.now_ms);
  EXPECT_NE(record.term, before.term);
  EXPECT_NE(record.nonce, before.nonce);
  EXPECT_NE(record.head.nonce, before.head.nonce);
  EXPECT_ERROR(raise(store, std::uint64_t{1} << 63), option_invalid);
  EXPECT_ERROR(raise(store, 5, 20231114), option_invalid);
  store.record.reset();
  EXPECT_ERROR(raise(store, 5), namespace_not_initialised);
}

TEST(Raises, of_dates_are_in_the_period_of_the_stores_time) {
  FakeStore store(date(), 10);
  store.now_ms += 86'400'000;
  raise(store, 100);
  EXPECT_EQ(store.record->head.period_label, 20231115U);
  EXPECT_EQ(store.record->next, 101U);
  raise(store, 200, 20231115);
  EXPECT_EQ(store.record->next, 201U);
  EXPECT_ERROR(raise(store, 300, 20231114), option_invalid);
  EXPECT_EQ(store.record->next, 201U) << "nothing was said of the present period";
  EXPECT_ERROR(raise(store, 300, 20231116), option_invalid);
  store.now_ms -= 86'400'000;
  EXPECT_ERROR(raise(store, 300), option_invalid);
  EXPECT_EQ(store.record->head.period_label, 20231115U) << "its numbers would come again on the 15th";
  store.now_ms += 86'400'000;
  EXPECT_ERROR(raise(store, 1'000'000), option_invalid);
}

}  // namespace
}  // namespace polyflake::count::by_hand
