// The lease machine, driven by hand over a store in memory.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include "lease/held_node_id.hpp"
#include "lease_by_hand.hpp"

namespace polyflake::lease::by_hand {
namespace {

TEST(Leases, of_a_fresh_namespace_begin_at_once) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  ASSERT_EQ(holder.granted.size(), 1U);
  EXPECT_EQ(holder.granted[0].node, 0U);
  EXPECT_EQ(holder.granted[0].start_ms, kBeginMs);
  EXPECT_EQ(holder.granted[0].until_ms, kBeginMs + kWindowMs);
}

TEST(Clocks, of_stores_that_show_whole_seconds_are_compared_with_the_nearer_end_of_the_second) {
  constexpr std::int64_t kSpanMs = 999;
  for (const std::int64_t off_ms : {-501, -500, 0, 999, 1499, 1500}) {
    ProcessHooks hooks;
    Holder(hooks).run();
    Machine machine(settings(), g_dice);
    const Time now{kBeginMs + off_ms, 0};
    const Action read = machine.poll(now);
    Contents contents = hooks.tables.read(read.read, hooks.incarnation, kBeginMs);
    contents.store_span_ms = kSpanMs;
    machine.deliver(read.number, contents, now);
    const bool tolerated = off_ms >= -kToleranceMs && off_ms <= kSpanMs + kToleranceMs;
    EXPECT_EQ(machine.failure().has_value(), !tolerated) << off_ms;
  }
}

TEST(Leases, of_a_namespace_in_use_take_three_round_trips) {
  ProcessHooks hooks;
  Holder first(hooks), second(hooks);
  first.run();
  second.run();
  EXPECT_EQ(second.trips, 3);
  ASSERT_EQ(second.granted.size(), 1U);
  EXPECT_EQ(second.granted[0].node, 1U);
  EXPECT_EQ(second.granted[0].start_ms, kBeginMs) << "it was never used";
}

TEST(Leases, are_renewed_when_less_than_two_thirds_are_left) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  holder.run(kWindowMs / 3 - 100);
  EXPECT_EQ(holder.raised, 0);
  holder.run(kWindowMs / 6);
  EXPECT_EQ(holder.raised, 1);
  EXPECT_GE(holder.granted[0].until_ms, kBeginMs + kWindowMs + kWindowMs / 3 - 100);
  holder.run(60 * kWindowMs);
  EXPECT_GT(holder.raised, 120);
  EXPECT_LT(holder.raised, 200);
  EXPECT_EQ(holder.granted.size(), 1U);
  EXPECT_EQ(holder.lost, 0);
}

TEST(Leases, are_confirmed_in_a_hurry_also_where_there_is_nothing_to_gain) {
  for (const std::int64_t off_ms : {0, -400, -3'600'000}) {
    ProcessHooks hooks;
    Holder holder(hooks);
    holder.run();
    holder.offset_ms = off_ms;  // in the millisecond of the grant, and where the clock was set back
    holder.machine.hurry();
    holder.run();
    EXPECT_EQ(holder.machine.renewals(), 1U);
    EXPECT_EQ(holder.granted[0].until_ms, kBeginMs + kWindowMs);
    EXPECT_EQ(hooks.tables.nodes[0].until_ms, kBeginMs + kWindowMs) << "never lowered";
    holder.run(kWindowMs / 4);
    EXPECT_EQ(holder.machine.renewals(), 1U) << "once";
  }
}

TEST(Leases, that_grew_are_not_shortened_by_a_renewal_after_the_clock_went_back) {
  ProcessHooks hooks;
  hooks.has_clock = false;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += kWindowMs / 2;
  holder.run();
  const std::int64_t until_ms = kBeginMs + kWindowMs / 2 + kWindowMs;
  ASSERT_EQ(holder.granted[0].until_ms, until_ms);
  for (const std::int64_t off_ms : {-kWindowMs / 4, std::int64_t{-3'600'000}}) {
    holder.offset_ms = off_ms;  // later than its beginning, and before it
    holder.machine.hurry();
    holder.run();
    EXPECT_EQ(hooks.tables.nodes[0].until_ms, until_ms);
    EXPECT_EQ(holder.granted[0].until_ms, until_ms);
  }
  EXPECT_EQ(holder.machine.renewals(), 3U);
}

TEST(Leases, are_renewed_in_a_hurry_however_much_is_left) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += 1;
  holder.machine.hurry();
  holder.run();
  EXPECT_EQ(holder.granted[0].until_ms, kBeginMs + kWindowMs + 1);
}

TEST(Leases, that_begin_later_are_confirmed_in_a_hurry_before_they_begin) {
  ProcessHooks hooks;
  Holder holder(hooks, unvouched());
  holder.run();
  holder.machine.hurry();
  holder.run();
  EXPECT_EQ(holder.machine.renewals(), 1U);
  EXPECT_EQ(holder.granted[0].until_ms, holder.granted[0].start_ms);
}

TEST(Leases, whose_window_passed_are_taken_over_after_it) {
  ProcessHooks hooks;
  Holder first(hooks);
  first.run();
  hooks.now_ms += kWindowMs + 1;
  Holder second(hooks);
  second.run();
  ASSERT_EQ(second.granted.size(), 1U);
  EXPECT_EQ(second.granted[0].node, 0U);
  EXPECT_GE(second.granted[0].start_ms, first.granted[0].until_ms);
  first.run();
  EXPECT_EQ(first.lost, 1) << "its record is another's";
  EXPECT_EQ(first.granted.size(), 2U) << "a successor";
  EXPECT_EQ(first.granted[1].node, 1U);
}

TEST(Leases, for_which_no_node_id_is_free_say_how_long_they_waited) {
  ProcessHooks hooks;
  With with = settings();
  with.capacity = 1;
  with.acquire_timeout_ms = 300;
  Holder first(hooks, with), second(hooks, with);
  first.run();
  second.run(299);
  EXPECT_FALSE(second.ended);
  second.run(1);
  second.run();
  EXPECT_EQ(second.ended, Action::Kind::failed);
  const Failure failure = second.machine.failure().value();
  EXPECT_EQ(failure.code, ErrorCode::no_worker_free);
  for (const char* const part : {"all node ids", "Waited 300 ms (acquire_timeout_ms)"})
    EXPECT_NE(failure.message.find(part), std::string::npos) << failure.message;
}

TEST(Leases, begin_after_the_window_of_before_though_the_clock_went_back_since_it_was_looked_at) {
  ProcessHooks hooks;
  hooks.has_clock = false;
  Holder first(hooks);
  first.run();
  hooks.now_ms += kWindowMs + 1;
  Holder second(hooks);
  ASSERT_TRUE(second.step());  // the namespace
  ASSERT_TRUE(second.step());  // the record, whose window is over
  second.offset_ms = -kToleranceMs;
  second.run();
  ASSERT_EQ(second.granted.size(), 1U);
  ASSERT_EQ(second.granted[0].node, first.granted[0].node);
  EXPECT_EQ(second.granted[0].start_ms, first.granted[0].until_ms);
}

TEST(Leases, that_are_lost_without_other_trouble_say_so) {
  const auto code_after = [](const std::function<void(ProcessHooks&)>& loss) {
    ProcessHooks hooks;
    Holder holder(hooks);
    holder.run();
    loss(hooks);
    hooks.now_ms += kWindowMs / 2;
    while (holder.lost == 0 && holder.step()) {
    }
    EXPECT_EQ(holder.lost, 1);
    EXPECT_TRUE(holder.machine.failure() && !holder.machine.failure()->message.empty());
    const auto code = holder.machine.failure() ? holder.machine.failure()->code : ErrorCode::option_invalid;
    holder.run(kWindowMs);
    EXPECT_FALSE(holder.machine.failure()) << "a successor";
    return code;
  };
  EXPECT_EQ(code_after([](ProcessHooks& hooks) { hooks.tables.nodes[0].nonce = {9, 9}; }), ErrorCode::lease_lost);
  EXPECT_EQ(code_after([](ProcessHooks& hooks) { hooks.tables.space->term = {9, 9}; }), ErrorCode::lease_lost);
  EXPECT_EQ(code_after([](ProcessHooks& hooks) { hooks.tables = {}; }), ErrorCode::lease_lost);
}

TEST(Leases, whose_answer_did_not_come_are_forfeited) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += kWindowMs / 2;
  holder.deaf = true;
  holder.run();
  EXPECT_EQ(hooks.written.back().record.until_ms, kBeginMs + kWindowMs + kWindowMs / 2) << "it arrived";
  holder.deaf = false;
  holder.run(3000);
  EXPECT_EQ(holder.raised, 0);
  EXPECT_EQ(holder.lost, 1);
  ASSERT_EQ(holder.granted.size(), 2U);
  EXPECT_NE(holder.granted[1].node, holder.granted[0].node);
}

TEST(Leases, whose_request_did_not_arrive_are_renewed_by_another) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += kWindowMs / 2;
  const Action lost = holder.machine.poll(holder.time());
  ASSERT_EQ(lost.kind, Action::Kind::cas);
  holder.machine.deliver_nothing(lost.number, "no answer", holder.time());
  holder.run(3000);
  EXPECT_EQ(holder.lost, 0);
  EXPECT_GE(holder.raised, 1);
  EXPECT_EQ(hooks.tables.step(lost.cas, hooks.incarnation, hooks.store_ms()), Outcome::conflict)
      << "and it comes too late";
}

TEST(Leases, take_no_answer_that_is_another_requests) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += kWindowMs / 2;
  const Action action = holder.machine.poll(holder.time());
  ASSERT_EQ(action.kind, Action::Kind::cas);
  holder.machine.deliver(action.number - 1, Answer{Outcome::ok, action.cas.echo, std::nullopt}, holder.time());
  EXPECT_EQ(holder.machine.poll(holder.time()).kind, Action::Kind::sleep) << "it still waits for its own";
  holder.machine.deliver(action.number, Answer{Outcome::ok, {1, 2}, std::nullopt}, holder.time());
  EXPECT_EQ(holder.machine.failures(), 1U);
  EXPECT_EQ(holder.machine.renewals(), 0U);
}

TEST(Leases, of_a_record_that_was_lost_begin_after_a_quarantine_and_leave_a_trace_in_the_namespace) {
  ProcessHooks hooks;
  Holder first(hooks);
  first.run();
  for (std::uint64_t node = 1; node < 3; ++node) Holder(hooks).run();
  hooks.tables.nodes.erase(1);
  hooks.tables.space->used = 1024;  // so that none is left that was never used
  for (std::uint64_t node = 3; node < 1024; ++node) hooks.tables.nodes[node] = hooks.tables.nodes[2];
  const Word nonce = hooks.tables.space->nonce;
  Holder holder(hooks);
  holder.run(kWindowMs / 3);
  ASSERT_GE(holder.granted.size(), 1U);
  EXPECT_EQ(holder.granted[0].node, 1U);
  EXPECT_GE(holder.granted[0].start_ms, kBeginMs + kQuarantineMs);
  EXPECT_NE(hooks.tables.space->nonce, nonce);
}

TEST(Leases, are_given_back_from_what_was_stamped_on) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  holder.machine.release(kBeginMs + 5);
  holder.run();
  EXPECT_EQ(holder.ended, Action::Kind::done);
  EXPECT_EQ(hooks.tables.nodes[0].until_ms, kBeginMs + 5);
}

TEST(Leases, are_not_asked_for_by_a_host_whose_clock_is_off) {
  for (const std::int64_t off_ms : {3'600'000LL, -3'600'000LL, 86'400'000LL, -12LL * 31'556'952'000LL}) {
    ProcessHooks hooks;
    Holder(hooks).run();
    const std::size_t before = hooks.written.size();
    Holder holder(hooks);
    holder.offset_ms = off_ms;
    holder.run();
    EXPECT_EQ(holder.ended, Action::Kind::failed);
    EXPECT_EQ(holder.machine.failure()->code, ErrorCode::clock_skew) << off_ms;
    EXPECT_EQ(hooks.written.size(), before) << "nothing is written";
  }
}

TEST(Leases, tolerate_what_the_namespace_says_and_not_what_its_user_would) {
  for (const std::int64_t tolerated_ms : {100, 2000}) {
    ProcessHooks hooks;
    With maker = settings();
    maker.tolerance_ms = tolerated_ms;
    Holder(hooks, maker).run();
    for (const std::int64_t off_ms : {tolerated_ms, tolerated_ms + 1, -tolerated_ms, -tolerated_ms - 1}) {
      Holder holder(hooks);
      holder.offset_ms = off_ms;
      holder.step();
      holder.step();
      EXPECT_EQ(holder.machine.failure().has_value(), std::abs(off_ms) > tolerated_ms) << off_ms;
    }
  }
}

TEST(Leases, are_waited_for_in_so_few_pieces_that_the_lateness_of_each_does_not_matter) {
  const LeaseStatus status("a store", 1000);
  std::int64_t waited_ns = 0;
  int pieces = 0;
  try {
    for (;; ++pieces) waited_ns += status.wait_ns(waited_ns);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store_unavailable);
  }
  EXPECT_GE(waited_ns, 1'000'000'000);
  EXPECT_LT(waited_ns, 1'020'000'000);
  EXPECT_LT(pieces, 100);
}

TEST(Leases, do_not_grow_while_the_clock_is_ahead_and_poison_no_node_id) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  holder.offset_ms = 3'600'000;
  holder.run(kWindowMs / 2);
  EXPECT_EQ(holder.machine.failure()->code, ErrorCode::clock_skew);
  EXPECT_LE(hooks.tables.nodes[0].until_ms, kBeginMs + kWindowMs);
  holder.offset_ms = 0;
  holder.run(2000);
  EXPECT_EQ(holder.machine.failure(), std::nullopt);
  EXPECT_GE(holder.raised, 1);
}

TEST(Leases, are_refused_in_the_wrong_namespace) {
  ProcessHooks hooks;
  const auto code = [&](const With& with) {
    Holder holder(hooks, with);
    holder.run();
    return holder.ended == Action::Kind::failed ? holder.machine.failure()->code : ErrorCode::option_invalid;
  };
  With with = settings();
  with.makes_namespace = false;
  EXPECT_EQ(code(with), ErrorCode::namespace_not_initialised);
  Holder(hooks).run();
  with.uuid = Word{1, 1};
  EXPECT_EQ(code(with), ErrorCode::wrong_namespace);
  with.uuid = hooks.tables.space->uuid;
  with.layout = kLayout + 1;
  EXPECT_EQ(code(with), ErrorCode::layout_mismatch);
}

TEST(Leases, that_begin_later_are_empty_until_they_begin) {
  ProcessHooks hooks;
  Holder holder(hooks, unvouched());
  holder.run(kQuarantineMs - 1);
  ASSERT_EQ(holder.granted.size(), 1U);
  EXPECT_EQ(holder.granted[0].until_ms, holder.granted[0].start_ms);
  EXPECT_GE(holder.machine.renewals(), 2U) << "it looks whether it still stands";
  holder.run(1);
  EXPECT_EQ(holder.granted[0].until_ms, kBeginMs + kQuarantineMs + kWindowMs);
}

TEST(Leases, granted_while_the_former_is_given_back_are_not_issued_from) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += kWindowMs + 5;
  Holder(hooks).run();  // takes its node id over
  for (int i = 0; i < 20; ++i) {
    const Action action = holder.machine.poll(holder.time());
    if (action.kind == Action::Kind::read) {
      holder.machine.deliver(action.number, hooks.tables.read(action.read, hooks.incarnation, hooks.store_ms()),
                             holder.time());
    } else if (action.kind == Action::Kind::cas) {
      const Outcome outcome = hooks.tables.step(action.cas, hooks.incarnation, hooks.store_ms());
      holder.machine.deliver(action.number, Answer{outcome, action.cas.echo, hooks.store_ms()}, holder.time());
      if (outcome == Outcome::ok) break;  // the successor is granted, and nobody was told yet
    }
  }
  const std::int64_t start_ms = hooks.now_ms;
  holder.machine.release(kBeginMs + 7);
  holder.run();
  EXPECT_EQ(holder.granted.size(), 1U);
  EXPECT_EQ(holder.ended, Action::Kind::done);
  EXPECT_EQ(hooks.tables.nodes[1].until_ms, start_ms) << "not before its own beginning";
}

TEST(Leases, pause_for_less_than_a_sixteenth_of_the_window_between_rounds) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  hooks.now_ms += kWindowMs / 2;
  holder.deaf = true;
  holder.run(kWindowMs * 3);  // many rounds without an answer
  holder.deaf = false;
  const std::size_t before = holder.granted.size();
  holder.run(kWindowMs / 8);
  EXPECT_EQ(holder.granted.size(), before + 1);
}

TEST(Leases, are_all_had_by_many_who_begin_at_once) {
  constexpr int kStarters = 200;
  ProcessHooks hooks;
  Holder(hooks).run();
  std::vector<Holder> starters(kStarters, Holder(hooks));
  for (int round = 0; round < 2000; ++round, ++hooks.now_ms) {
    for (Holder& starter : starters) starter.step();
  }
  std::vector<bool> taken(1024);
  for (const Holder& starter : starters) {
    ASSERT_EQ(starter.granted.size(), 1U);
    EXPECT_FALSE(taken[starter.granted[0].node]);
    taken[starter.granted[0].node] = true;
  }
}

}  // namespace
}  // namespace polyflake::lease::by_hand
