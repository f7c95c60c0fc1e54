// Opening generators: which node they get, and what is refused. Each test has a registry folder of its own.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "host/registry.hpp"
#include "with_worker.hpp"

namespace polyflake::test {
namespace {

TEST(Opening, a_node_id_that_another_folder_guards_is_refused) {
  const Layout layout("timestamp:41 here:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  FreshHome first;
  Generator held(with_worker("host:3", layout));
  FreshHome second;
  EXPECT_ERROR(Generator(with_worker("host:3", layout)), worker_in_use);
  EXPECT_NO_THROW(held.next_id());
}

TEST(Opening, any_node_id_of_another_folder_is_one_this_process_has_not) {
  const Layout layout("timestamp:41 there:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  FreshHome first;
  Generator one(with_worker("host", layout));
  FreshHome second;
  Generator other(with_worker("host", layout));
  EXPECT_NE(one.worker(), other.worker());
}

TEST(Opening, a_host_node_id_never_sets_the_sign_bit) {
  FreshHome home;
  const Layout layout("worker:1 timestamp:41 sequence:22 tick=1ms epoch=2020-01-01T00:00:00.000Z");
  EXPECT_EQ(layout.largest_node(), 0U);
  HostRegistry registry(home.path(), layout);
  const auto first = registry.acquire([](std::uint64_t) { return false; });
  EXPECT_EQ(first->id(), 0U);
  EXPECT_ERROR(registry.acquire([](std::uint64_t) { return false; }), no_worker_free);
  EXPECT_ERROR(Generator(with_worker("host:1", layout)), field_out_of_range);
}

TEST(Opening, in_the_last_tick_of_a_layout_says_that_its_time_is_used_up) {
  // Two ticks of fifty years: the second is the last.
  EXPECT_ERROR(Generator(with_worker(0, "timestamp:1 sequence:32 tick=1577880000s epoch=1970-01-01T00:00:00.000Z")),
               time_exhausted);
}

TEST(Opening, does_not_wait_for_a_tick_that_is_years_away) {
  Generator generator(with_worker(0, "timestamp:8 sequence:32 tick=1577880000s epoch=1970-01-01T00:00:00.000Z"));
  EXPECT_EQ(generator.try_next_id(), std::nullopt);
}

TEST(Opening, ticks_longer_than_history_are_refused) {
  EXPECT_ERROR(
      Generator(with_worker(0, "timestamp:1 sequence:2 tick=4611685000000000s epoch=1970-01-01T00:00:00.000Z")),
      layout_too_wide);
}

TEST(Nodes, skip_to_a_tick_and_issue_above_it) {
  ManualClock clock(Layout("polyflake").epoch_ms() + 1000);
  Node node("polyflake", 5, &clock);
  node.adopt(0, 1'000'000, nullptr);
  node.skip_to(2000);
  EXPECT_EQ(node.last_tick(), 2000U);
  node.skip_to(1500);
  EXPECT_EQ(node.last_tick(), 2000U) << "never back";
  EXPECT_EQ(node.issued(), 0U);
}

TEST(Nodes, adopt_for_the_execution_that_came_to_the_window) {
  Node node("polyflake", 6);
  node.adopt(0, 1'000'000, nullptr, Execution::current() + 1);
  EXPECT_FALSE(node.grant()->of_this_execution());
}

}  // namespace
}  // namespace polyflake::test
