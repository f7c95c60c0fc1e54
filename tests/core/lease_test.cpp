// A lease as runners see it: how long a command may take, and how soon it is heard of again after a silence of the store.
#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>
#include <polyflake/store.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "fresh_tables.hpp"
#include "lease/record.hpp"
#include "lease/store_url.hpp"
#include "open/lease.hpp"

namespace polyflake::lease {
namespace {

constexpr std::int64_t kUsualWindowMs = 10'000;

// A namespace of this window in a store without a clock, and who uses it with the usual options.
struct Namespace {
  explicit Namespace(std::int64_t window_ms) : tables(fresh_tables(layout, of_window(window_ms))) {}

  static LeaseOptions of_window(std::int64_t window_ms) {
    LeaseOptions options;
    options.window_ms = window_ms;
    options.tolerance_ms = 50;
    return options;
  }

  // What a lease does until it sleeps.
  void carry(Lease& lease) {
    for (;;) {
      const Action action = lease.poll();
      if (action.kind == Action::Kind::read) {
        lease.deliver(action.number, tables.read(action.read, kReign, {}));
      } else if (action.kind == Action::Kind::cas) {
        lease.deliver(action.number, Answer{tables.step(action.cas, kReign, {}), action.cas.echo, {}});
      } else {
        return;
      }
    }
  }

  const Layout layout{"polyflake"};
  Tables tables;
};

TEST(CommandsOfLeases, may_take_a_third_of_the_window_that_was_asked_for_before_one_was_granted) {
  Namespace names(600);
  const Lease lease(names.layout, {}, "a store");
  EXPECT_EQ(lease.command_timeout_ms(), kUsualWindowMs / 3);
}

TEST(CommandsOfLeases, may_then_take_a_third_of_the_namespaces_window_and_at_most_a_second) {
  for (const auto& [window_ms, limit_ms] : {std::pair(600, 200), std::pair(2000, 666), std::pair(60'000, 1000)}) {
    Namespace names(window_ms);
    Lease lease(names.layout, {}, "a store");
    names.carry(lease);
    ASSERT_TRUE(lease.granted());
    EXPECT_EQ(lease.command_timeout_ms(), limit_ms);
  }
}

TEST(CommandsOfLeases, begin_again_within_two_seconds_of_a_silence_of_the_store) {
  constexpr std::int64_t kEnoughMs = 300;  // for connecting and two round trips
  for (const std::int64_t window_ms : {600, 2000, 10'000, 60'000}) {
    Namespace names(window_ms);
    Settings settings = settings_for({}, names.layout, "");
    SystemRandom random;
    Machine machine(settings, random);
    Time now{1'700'000'000'000, 0};
    const auto pass = [&now](std::int64_t ms) { now = {now.wall_ms + ms, now.mono_ms + ms}; };
    Action action = machine.poll(now);
    while (action.kind != Action::Kind::granted) {
      if (action.kind == Action::Kind::read) {
        machine.deliver(action.number, names.tables.read(action.read, kReign, {}), now);
      } else {
        const Outcome outcome = names.tables.step(action.cas, kReign, {});
        machine.deliver(action.number, Answer{outcome, action.cas.echo, {}}, now);
      }
      action = machine.poll(now);
    }
    const std::int64_t limit_ms = std::min<std::int64_t>(window_ms / 3, 1000);
    pass(window_ms);
    std::int64_t longest_ms = 0;
    for (int i = 0; i < 200; ++i) {
      action = machine.poll(now);
      std::int64_t slept_ms = 0;
      while (action.kind == Action::Kind::sleep) {
        slept_ms += action.mono_ms - now.mono_ms;
        pass(action.mono_ms - now.mono_ms);
        action = machine.poll(now);
      }
      longest_ms = std::max(longest_ms, slept_ms);
      pass(limit_ms);
      machine.deliver_nothing(action.number, "no answer", now);
    }
    EXPECT_LE(limit_ms + longest_ms + kEnoughMs, 2000) << window_ms;
  }
}

}  // namespace
}  // namespace polyflake::lease
