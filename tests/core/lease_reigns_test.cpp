// Leases in a namespace that is settled, made a second time or put back, and in another reign of the store.
#include <gtest/gtest.h>

#include "lease_by_hand.hpp"

namespace polyflake::lease::by_hand {
namespace {

TEST(Leases, of_a_namespace_that_may_have_been_lost_begin_after_a_quarantine) {
  for (const char* const incarnation : {"first", "-", ""}) {
    ProcessHooks hooks;
    hooks.incarnation = incarnation;
    Holder holder(hooks, unvouched());
    holder.run();
    ASSERT_EQ(holder.granted.size(), 1U);
    EXPECT_EQ(holder.granted[0].start_ms, kBeginMs + kQuarantineMs) << incarnation;
  }
}

TEST(Leases, of_a_namespace_made_a_second_time_under_a_holder_begin_after_its_window_with_any_incarnation) {
  for (const char* const incarnation : {"first", "-", ""}) {
    ProcessHooks hooks;
    hooks.incarnation = incarnation;
    Holder first(hooks);
    first.run();
    hooks.tables = {};
    Holder second(hooks, unvouched());
    second.run();
    ASSERT_EQ(second.granted.size(), 1U);
    EXPECT_EQ(second.granted[0].node, first.granted[0].node);
    EXPECT_GE(second.granted[0].start_ms, first.granted[0].until_ms) << "incarnation \"" << incarnation << '"';
  }
}

TEST(Leases, in_a_settled_store_without_incarnation_begin_at_once) {
  ProcessHooks hooks;
  hooks.incarnation = "";
  Holder(hooks, unvouched()).run();
  ASSERT_TRUE(hooks.tables.space);
  const std::int64_t floor_ms = hooks.tables.space->floor_ms;
  hooks.now_ms = floor_ms;
  Holder later(hooks, unvouched());
  later.run();
  EXPECT_EQ(later.trips, 3) << "settled once";
  ASSERT_EQ(later.granted.size(), 1U);
  EXPECT_EQ(later.granted[0].start_ms, hooks.now_ms);
}

// A holder whose store counts its writes, and is put back to a former count.
class StoresThatWerePutBack : public testing::Test {
 protected:
  StoresThatWerePutBack() {
    hooks.revision = 100;
    holder.run();
    hooks.revision = 60;
    holder.machine.hurry();
    holder.run(1000);
  }
  ProcessHooks hooks;
  Holder holder{hooks};
};

TEST_F(StoresThatWerePutBack, stop_their_holders_and_name_both_revisions) {
  EXPECT_EQ(holder.frozen, 1) << "told once";
  EXPECT_EQ(holder.granted.size(), 1U);
  ASSERT_TRUE(holder.machine.failure());
  EXPECT_EQ(holder.machine.failure()->code, ErrorCode::store_unavailable);
  EXPECT_NE(holder.machine.failure()->message.find("fell from 100 to 60"), std::string::npos)
      << holder.machine.failure()->message;
}

TEST_F(StoresThatWerePutBack, grant_nothing_at_the_revision_that_was_seen_before) {
  hooks.revision = 100;
  holder.run(1000);
  EXPECT_EQ(holder.granted.size(), 1U);
}

TEST_F(StoresThatWerePutBack, grant_again_above_it) {
  hooks.revision = 101;
  holder.run(1000);
  EXPECT_EQ(holder.granted.size(), 2U);
  EXPECT_EQ(holder.frozen, 1);
}

TEST_F(StoresThatWerePutBack, grant_again_from_the_floor_that_an_operator_has_raised) {
  hooks.tables.space->term.low += 1;
  hooks.tables.space->nonce.low += 1;
  hooks.tables.space->floor_ms = hooks.now_ms + kQuarantineMs;
  holder.run(1000);
  ASSERT_EQ(holder.granted.size(), 2U);
  EXPECT_EQ(holder.granted[1].start_ms, hooks.tables.space->floor_ms);
}

TEST_F(StoresThatWerePutBack, grant_again_after_a_quarantine_under_a_name_of_their_own) {
  hooks.incarnation = "restored";
  holder.run(kQuarantineMs);
  ASSERT_EQ(holder.granted.size(), 2U);
  EXPECT_GE(holder.granted[1].start_ms, kBeginMs + kQuarantineMs);
}

TEST(Leases, end_by_themselves_where_an_operator_raised_the_floor_before_the_holder_saw_the_store_put_back) {
  for (const bool raised :
       {true, false}) {  // else the store is older than the last raise, of which it has another term
    ProcessHooks hooks;
    hooks.revision = 100;
    Holder holder(hooks);
    holder.run();
    hooks.revision = {};  // of an answer about a namespace of another term
    hooks.tables.space->term.low += 1;
    if (raised) hooks.tables.space->floor_ms = hooks.now_ms + kQuarantineMs;
    holder.machine.hurry();
    holder.step();
    holder.step();
    hooks.revision = 60;
    holder.run(1000);
    EXPECT_EQ(holder.frozen, raised ? 0 : 1);
    EXPECT_EQ(holder.granted.size(), raised ? 2U : 1U);
  }
}

TEST(Leases, of_another_reign_of_the_store_are_repeated_only_in_time_and_where_owners_are_safe) {
  for (const bool has_clock : {true, false}) {
    for (const std::int64_t later_ms : {kWindowMs / 2, kWindowMs - 2 * kToleranceMs}) {
      ProcessHooks hooks;
      hooks.has_clock = has_clock;
      Holder holder(hooks);
      holder.run();
      hooks.incarnation = "second";
      hooks.now_ms += later_ms;
      holder.run(100);
      const bool repeated = has_clock && later_ms == kWindowMs / 2;
      EXPECT_EQ(holder.lost, repeated ? 0 : 1) << has_clock << later_ms;
      EXPECT_EQ(holder.raised, repeated ? 1 : 0);
      EXPECT_EQ(hooks.tables.space->incarnation, "second");
      EXPECT_GE(hooks.tables.space->floor_ms, kBeginMs + later_ms + kQuarantineMs);
      if (!repeated) {
        ASSERT_EQ(holder.granted.size(), 2U);
        EXPECT_GE(holder.granted[1].start_ms, hooks.tables.space->floor_ms);
      }
    }
  }
}

TEST(Leases, are_settled_only_after_a_confirmation_that_was_heard) {
  ProcessHooks hooks;
  Holder(hooks).run();
  hooks.incarnation = "second";
  Holder holder(hooks);
  ASSERT_TRUE(holder.step());
  holder.deaf = true;
  ASSERT_TRUE(holder.step());  // its confirmation arrives, and no answer does
  holder.deaf = false;
  const std::size_t before = hooks.written.size();
  holder.run(kWindowMs / 4);
  ASSERT_GE(hooks.written.size(), before + 2);
  EXPECT_EQ(hooks.written[before].space->incarnation, "first") << "it is asked for another one first";
  EXPECT_EQ(hooks.written[before].space->floor_ms, 0);
  EXPECT_EQ(hooks.written[before + 1].space->incarnation, "second");
  EXPECT_GE(hooks.written[before + 1].space->floor_ms, kBeginMs + kQuarantineMs);
}

TEST(Leases, are_settled_without_lowering_the_floor_of_an_operator) {
  ProcessHooks hooks;
  Holder(hooks).run();
  const std::int64_t floor_ms = kBeginMs + kQuarantineMs + 1;
  hooks.tables.space->floor_ms = floor_ms;
  hooks.incarnation = "second";
  Holder holder(hooks);
  holder.run();
  EXPECT_EQ(hooks.tables.space->incarnation, "second");
  EXPECT_EQ(hooks.tables.space->floor_ms, floor_ms);
  ASSERT_EQ(holder.granted.size(), 1U);
  EXPECT_EQ(holder.granted[0].start_ms, floor_ms);
}

TEST(Leases, of_a_record_that_came_back_are_in_nobody_elses_window) {
  ProcessHooks hooks;
  Holder first(hooks);
  first.run();
  const Tables replica = hooks.tables;
  hooks.tables.nodes.erase(0);  // and made again by another, who renews as soon as it may
  hooks.tables.space->used = 1024;
  for (std::uint64_t node = 1; node < 1024; ++node) hooks.tables.nodes[node] = {{1, 1}, {1, 1}, kLayout, INT64_MAX, ""};
  Holder second(hooks);
  second.run(kWindowMs / 2 + kToleranceMs * 2);
  ASSERT_EQ(second.granted.size(), 1U);
  ASSERT_EQ(second.granted[0].node, 0U);
  hooks.tables = replica;  // which all of that had not reached
  hooks.incarnation = "second";
  first.run(kWindowMs);
  EXPECT_EQ(first.granted[0].node, 0U);
  EXPECT_GT(first.raised, 0) << "it goes on";
  EXPECT_EQ(second.granted[0].until_ms, second.granted[0].start_ms) << "so the other had nothing";
}

TEST(Leases, that_wait_for_their_beginning_are_taken_anew_in_another_reign_of_the_store) {
  ProcessHooks hooks;
  Holder holder(hooks, unvouched());
  holder.run();
  hooks.incarnation = "second";
  holder.run(kWindowMs / 2);
  ASSERT_EQ(holder.granted.size(), 2U) << "at once, not only when it would have begun";
  EXPECT_EQ(holder.lost, 1);
  EXPECT_EQ(holder.granted[1].start_ms, hooks.tables.space->floor_ms);
}

TEST(Leases, of_a_namespace_that_was_made_anew_are_not_renewed) {
  ProcessHooks hooks;
  Holder holder(hooks);
  holder.run();
  const NodeRecord record = hooks.tables.nodes[0];
  hooks.tables = {};
  hooks.now_ms += kWindowMs / 2;
  Holder other(hooks);
  other.run();
  hooks.tables.nodes[0] = record;  // even where its own record is as it was
  holder.run(100);
  EXPECT_EQ(holder.lost, 1);
  EXPECT_EQ(holder.raised, 0);
}

TEST(Leases, are_not_created_above_what_was_used_where_the_namespace_is_made_anew_meanwhile) {
  ProcessHooks hooks;
  for (int i = 0; i < 3; ++i) Holder(hooks).run();
  Holder holder(hooks);
  ASSERT_TRUE(holder.step());  // it knows of three
  ASSERT_EQ(holder.trips, 1);
  hooks.tables = {};
  Holder(hooks).run();
  holder.run();
  ASSERT_EQ(holder.granted.size(), 1U);
  EXPECT_EQ(holder.granted[0].node, 1U);
  EXPECT_EQ(hooks.tables.space->used, 2U);
}

}  // namespace
}  // namespace polyflake::lease::by_hand
