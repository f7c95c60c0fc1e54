// What threads that close find where the runner is just taking up another window.
#include <polyflake/layout.hpp>
#include <polyflake/lease.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "fresh_tables.hpp"
#include "lease/held_node_id.hpp"
#include "lease/store_url.hpp"
#include "open/lease.hpp"

namespace polyflake::lease {
namespace {

TEST(Holdings, that_fail_tell_each_of_many_threads_why) {
  LeaseStatus status("a store", 1000);
  status.set_failure({ErrorCode::clock_skew, "an hour ahead"});
  std::atomic<int> others{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 20'000; ++call) others += status.failure().code != ErrorCode::clock_skew ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(others, 0);
}

TEST(Holdings, that_are_released_while_they_take_up_a_window_keep_what_was_stamped_in_it) {
  const Layout layout("polyflake");
  ManualClock clock(SystemClock::read_ms());
  const auto now = [&] { return Time{clock.time_ms(), clock.time_ms()}; };
  SystemRandom random;
  Tables tables = fresh_tables(layout);

  std::map<std::uint64_t, std::unique_ptr<Node>> nodes;
  std::function<void(std::uint64_t)> meanwhile;
  ProcessHooks hooks;
  hooks.execution_word = &Execution::word();
  hooks.execution = &Execution::current;
  hooks.node = [&](std::uint64_t id) -> Node& {
    if (meanwhile) meanwhile(id);
    auto& node = nodes[id];
    if (node == nullptr) node = std::make_unique<Node>(layout, id, &clock);
    return *node;
  };
  HeldNodeId held(layout, settings_for({}, layout, ""), random, hooks, "a store", 1000);
  const auto carry = [&] {
    for (;;) {
      const Action action = held.poll(now());
      if (action.kind == Action::Kind::read) {
        held.deliver(action.number, tables.read(action.read, kReign, {}), now());
      } else if (action.kind == Action::Kind::cas) {
        held.deliver(action.number, Answer{tables.step(action.cas, kReign, {}), action.cas.echo, {}}, now());
      } else if (action.kind != Action::Kind::sleep || action.mono_ms > now().mono_ms + 200) {
        return;
      } else {
        clock.set(action.mono_ms);
      }
    }
  };
  carry();
  ASSERT_EQ(held.node()->id(), 0U);
  tables.nodes[0].nonce = random.word();  // by another
  held.hurry();
  std::uint64_t stamped = 0;
  meanwhile = [&](std::uint64_t id) {
    if (id == 1) held.release();  // by another thread, at the very end of its process
  };
  const auto stamp = [&] {  // by a third one
    Node* const node = held.node();
    if (node->id() != 1 || stamped != 0) return;
    Grant& grant = *node->grant();
    std::uint64_t last = grant.last.load();
    const std::uint64_t next = node->first_of(static_cast<std::uint64_t>(node->now()));
    if (last < next && node->tick_of(next) < grant.until.load() && grant.take(last, next))
      stamped = node->tick_of(next);
  };
  for (int i = 0; i < 100; ++i) {
    const Action action = held.poll(now());
    if (held.node()->id() == 1) clock.advance(3);
    stamp();
    if (action.kind == Action::Kind::read) {
      held.deliver(action.number, tables.read(action.read, kReign, {}), now());
    } else if (action.kind == Action::Kind::cas) {
      held.deliver(action.number, Answer{tables.step(action.cas, kReign, {}), action.cas.echo, {}}, now());
    } else if (action.kind == Action::Kind::done) {
      break;
    }
  }
  ASSERT_TRUE(tables.nodes.count(1));
  EXPECT_TRUE(stamped == 0 || tables.nodes[1].until_ms > layout.time_of(stamped));
  EXPECT_EQ(held.node()->usable(), false) << "nothing more is issued";
}

}  // namespace
}  // namespace polyflake::lease
