// What callers get of a lease that has no window now: for how long they wait, which code, which state.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "../faults/stopped_leases.hpp"
#include "expect_error.hpp"
#include "stores_in_trouble.hpp"

namespace polyflake::test {
namespace {

using Name = GeneratorState::Name;
using Codes = std::set<std::string>;

LeaseOptions impatient(std::int64_t window_ms = 600) {
  LeaseOptions lease = fresh(window_ms);
  lease.renew_wait_ms = 50;
  return lease;
}

// Whose first window begins a quarantine later.
LeaseOptions later(std::int64_t window_ms = 600) {
  LeaseOptions lease = impatient(window_ms);
  lease.auto_init = LeaseOptions::AutoInit::yes;
  return lease;
}

std::string stated(const Generator& generator) {
  const GeneratorState state = generator.state();
  return std::string(name_of(state.name)) + (state.code ? std::string(" ") + info(*state.code).name : "");
}

// Codes of calls until one has an id.
Codes codes_until_an_id(const std::function<void()>& call) {
  Codes codes;
  EXPECT_TRUE(comes([&] {
    const std::string failure = error_of(call);
    if (failure != "none") codes.insert(code_in(failure));
    return failure == "none";
  }));
  return codes;
}

class LeasesThatWait : public StoppedLeases {};

TEST_F(LeasesThatWait, for_another_reign_of_the_store_blame_no_clock) {
  for (const std::int64_t max_wait_ms : {0, 20}) {
    const auto store = std::make_shared<Restarted>();
    Options options = on(store, impatient());
    options.max_wait_ms = max_wait_ms;
    Generator generator(options);
    const auto next = [&] { generator.next_id(); };
    next();
    for (int reign = 0; reign < 2; ++reign) {
      store->stop();
      EXPECT_TRUE(comes([&] { return error_of(next) != "none"; }));
      store->start();
      const auto begin = Steady::now();
      const Codes codes = codes_until_an_id(next);
      EXPECT_TRUE(codes.empty() || codes == Codes{"store_unavailable"}) << testing::PrintToString(codes);
      EXPECT_GT(since(begin), milliseconds(400)) << "the quarantine of another reign";
    }
  }
}

TEST_F(LeasesThatWait, are_waited_for_until_they_begin_and_renew_wait_ms_beyond) {
  const auto store = failing();
  const auto begin = Steady::now();
  Generator generator(on(store, later()));
  EXPECT_EQ(stated(generator), "starting");
  EXPECT_EQ(generator.try_next_id(), std::nullopt);
  EXPECT_EQ(error_of([&] { generator.next_id(); }), "none") << "though renew_wait_ms is shorter";
  EXPECT_GE(since(begin), milliseconds(720)) << "the quarantine";
  EXPECT_EQ(stated(generator), "open");
}

TEST_F(LeasesThatWait, for_a_store_that_fails_at_their_beginning_wait_renew_wait_ms) {
  const auto store = failing();
  Generator generator(on(store, later()));
  store->failure([] { throw std::runtime_error("the cable is out"); });
  EXPECT_TRUE(comes([&] { return stated(generator) == "waiting store_unavailable"; })) << stated(generator);
  const auto begin = Steady::now();
  const std::string failure = error_of([&] { generator.next_id(); });
  EXPECT_LT(since(begin), milliseconds(600)) << "not as long as the beginning was away when the window was granted";
  EXPECT_EQ(code_in(failure), "store_unavailable");
  EXPECT_NE(failure.find("the cable is out"), std::string::npos) << failure;
}

TEST_F(LeasesThatWait, for_a_store_that_is_away_let_one_call_wait_and_refuse_later_ones_at_once) {
  const auto store = failing();
  LeaseOptions lease = impatient();
  lease.renew_wait_ms = 400;
  Generator generator(on(store, lease));
  const auto next = [&] { generator.next_id(); };
  next();
  for (int outage = 0; outage < 2; ++outage) {
    store->failure([] { throw std::runtime_error("the cable is out"); });
    EXPECT_TRUE(comes([&] { return stated(generator) == "waiting store_unavailable"; })) << stated(generator);
    Claims claims(generator);
    EXPECT_THROW(claims.claimable_in_ns(), Error) << "a caller that cannot wait has not waited in vain";
    auto begin = Steady::now();
    EXPECT_EQ(code_in(error_of(next)), "store_unavailable");
    EXPECT_GE(since(begin), milliseconds(400));
    begin = Steady::now();
    for (int i = 0; i < 100; ++i) {
      const std::string failure = error_of(next);
      EXPECT_EQ(code_in(failure), "store_unavailable");
      EXPECT_NE(failure.find("the cable is out"), std::string::npos) << failure;
    }
    EXPECT_LT(since(begin), milliseconds(100 * 400));
    store->failure(nullptr);
    EXPECT_TRUE(comes([&] { return error_of(next) == "none"; }));
  }
}

TEST_F(LeasesThatWait, for_a_floor_far_ahead_say_so_after_renew_wait_ms) {
  const auto store = std::make_shared<MemoryStore>();
  Generator generator(on(store, impatient()));
  generator.next_id();
  raise_floor(*store, "polyflake", SystemClock::read_ms() + 3'600'000);
  std::string failure;
  EXPECT_TRUE(comes([&] {
    failure = error_of([&] { generator.next_id(); });
    return failure.find("may be had before") != std::string::npos;
  })) << failure;
  EXPECT_NE(failure.find("`lower`"), std::string::npos) << failure;
  for (int i = 0; i < 3; ++i) {
    const auto begin = Steady::now();
    failure = error_of([&] { generator.next_id(); });
    EXPECT_GE(since(begin), milliseconds(50));
    EXPECT_LT(since(begin), milliseconds(600));
    EXPECT_EQ(code_in(failure), "store_unavailable") << failure;
    EXPECT_EQ(error_of([&] { generator.try_next_id(); }), "none");
    EXPECT_EQ(stated(generator), "waiting store_unavailable");
  }
}

TEST_F(LeasesThatWait, for_a_floor_far_ahead_of_the_stores_clock_accuse_no_clock_of_this_host) {
  const auto store = memory();
  Generator generator(on(store, impatient()));
  generator.next_id();
  raise_floor(*store, "polyflake", SystemClock::read_ms() + 3'600'000);
  std::string failure;
  EXPECT_TRUE(comes([&] { return code_in(failure = error_of([&] { generator.next_id(); })) == "store_unavailable"; }))
      << failure;
  EXPECT_TRUE(comes([&] {
    failure = error_of([&] { generator.next_id(); });
    return failure.find("its floor was raised") != std::string::npos;
  })) << failure;
  EXPECT_NE(failure.find("`lower`"), std::string::npos) << failure;
  EXPECT_EQ(stated(generator), "waiting store_unavailable");
  EXPECT_ERROR(Generator(on(store, impatient())), store_unavailable);
}

TEST_F(LeasesThatWait, have_the_state_that_their_calls_find) {
  const auto store = failing();
  Generator generator(on(store, impatient()));
  EXPECT_EQ(stated(generator), "open");
  store->failure([] { throw std::runtime_error("gone"); });
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.next_id(); }) != "none"; }));
  for (int i = 0; i < 20; ++i) {
    EXPECT_ERROR(generator.next_id(), store_unavailable);
    ASSERT_EQ(stated(generator), "waiting store_unavailable");
  }
  store->failure(nullptr);
  EXPECT_TRUE(comes([&] { return stated(generator) == "open"; }));
  EXPECT_EQ(error_of([&] { generator.next_id(); }), "none");
}

TEST_F(LeasesThatWait, whose_successor_begins_later_are_starting) {
  const auto store = std::make_shared<Restarted>();
  Generator generator(on(store, impatient()));
  generator.next_id();
  store->stop();
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.next_id(); }) != "none"; }));
  store->start();
  EXPECT_TRUE(comes([&] { return stated(generator) == "starting"; })) << stated(generator);
  const auto begin = Steady::now();
  while (stated(generator) == "starting") std::this_thread::sleep_for(milliseconds(1));
  EXPECT_GE(since(begin), milliseconds(300)) << "until it begins";
  EXPECT_TRUE(comes([&] { return stated(generator) == "open"; }));
}

TEST_F(LeasesThatWait, whose_successor_begins_later_issue_to_the_end_of_the_window_before) {
  const auto store = std::make_shared<MemoryStore>();
  Generator generator(on(store, impatient()));
  generator.next_id();
  const std::int64_t until_ms = generator.stats().until_ms, floor_ms = until_ms + 300;
  raise_floor(*store, "polyflake", floor_ms);  // the next renewal finds it
  std::int64_t last_ms = 0, next_ms = 0;
  while (next_ms < until_ms) {
    last_ms = next_ms;
    next_ms = generator.layout().unpack(generator.next_id()).time_ms;
  }
  EXPECT_GE(last_ms, until_ms - 50);
  EXPECT_GE(next_ms, floor_ms);
}

TEST_F(LeasesThatWait, tell_who_may_not_wait_a_time_or_a_reason) {
  const auto store = failing();
  Generator generator(on(store, later()));
  Claims claims(generator);
  const std::int64_t ns = claims.claimable_in_ns();
  EXPECT_GT(ns, 300'000'000) << "so long until it begins";
  EXPECT_LE(ns, 720'000'000);
  store->failure([] { throw std::runtime_error("the cable is out"); });
  EXPECT_TRUE(
      comes([&] { return error_of([&] { claims.claimable_in_ns(); }).find("the cable is out") != std::string::npos; }));
  const auto begin = Steady::now();
  for (int i = 0; i < 100; ++i) EXPECT_ERROR(claims.claimable_in_ns(), store_unavailable);
  EXPECT_LT(since(begin), milliseconds(50)) << "at once";
  store->failure(nullptr);
  generator.next_id();
  EXPECT_EQ(claims.claimable_in_ns(), 0);
  generator.close();
  EXPECT_ERROR(claims.claimable_in_ns(), generator_closed);
}

class RenewedLeases : public StoppedLeases {};

TEST_F(RenewedLeases, have_a_longer_window_when_the_call_returns) {
  Generator generator(on(memory()));
  for (int i = 0; i < 3; ++i) {
    const std::int64_t until_ms = generator.stats().until_ms;
    std::this_thread::sleep_for(milliseconds(2));
    generator.renew();
    EXPECT_GT(generator.stats().until_ms, until_ms);
    EXPECT_EQ(generator.stats().renewals, static_cast<std::uint64_t>(i) + 1);
  }
  EXPECT_EQ(generator.stats().store_failures, 0U);
}

TEST_F(RenewedLeases, say_what_the_store_said_where_it_fails) {
  const auto store = failing();
  Generator generator(on(store));
  store->failure([] { throw std::runtime_error("the cable is out"); });
  const std::string failure = error_of([&] { generator.renew(); });
  EXPECT_EQ(code_in(failure), "store_unavailable");
  EXPECT_NE(failure.find("the cable is out"), std::string::npos) << failure;
  EXPECT_GE(generator.stats().store_failures, 1U);
  store->failure(nullptr);
  EXPECT_TRUE(comes([&] { return error_of([&] { generator.renew(); }) == "none"; }));
  generator.close();
  EXPECT_ERROR(generator.renew(), generator_closed);
}

TEST_F(RenewedLeases, are_not_waited_for_longer_than_a_window_where_the_store_hangs) {
  const auto store = failing();
  Generator generator(on(store, impatient()));
  store->hang();
  const auto begin = Steady::now();
  EXPECT_ERROR(generator.renew(), store_unavailable);
  EXPECT_LT(since(begin), milliseconds(2000));
  store->go_on();
}

class LeasesThatOpen : public StoppedLeases {};

TEST_F(LeasesThatOpen, fail_at_the_first_question_of_all) {
  const auto store = failing();
  store->failure([] { throw std::runtime_error("wrong password"); });
  const auto begin = Steady::now();
  const std::string failure = error_of([&] { Generator generator(on(store)); });
  EXPECT_LT(since(begin), milliseconds(3000)) << "not when acquire_timeout_ms is over";
  EXPECT_EQ(code_in(failure), "store_unavailable");
  EXPECT_NE(failure.find("wrong password"), std::string::npos) << failure;
}

}  // namespace
}  // namespace polyflake::test
