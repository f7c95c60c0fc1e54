// Nodes and grants over a reservation that a test controls.
#include <polyflake/generator.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "expect_error.hpp"
#include "issue/node_table.hpp"
#include "issue/reservation.hpp"
#include "together.hpp"

namespace polyflake {
namespace {

// What became of a reservation, beyond its own life.
struct History {
  std::vector<std::uint64_t> extended_to;
  std::vector<std::uint64_t> released_at;
  std::uint64_t farthest = UINT64_MAX;  // a tick that may be reserved
  int destroyed = 0;
  bool failing = false;
};

class FakeReservation final : public Reservation {
 public:
  FakeReservation(History& history, std::uint64_t window) : history_(history), window_(window) {}
  ~FakeReservation() override { ++history_.destroyed; }

  Grant::Growth growth() const override {
    const auto window = static_cast<std::int64_t>(window_);
    return {window, window / 4, window + window / 8, false};
  }
  Extension extend(Grant& grant, std::uint64_t tick) noexcept override {
    if (history_.failing) return Extension::lost;
    if (tick > history_.farthest) return Extension::too_far;
    history_.extended_to.push_back(tick + window_);
    grant.until.store(tick + window_, std::memory_order_release);
    return Extension::done;
  }
  std::exception_ptr failure() const override {
    return std::make_exception_ptr(Error(ErrorCode::registry_unusable, "the disk is gone"));
  }
  void release(std::uint64_t last_tick) noexcept override { history_.released_at.push_back(last_tick); }
  std::string keeper() const override { return "nowhere"; }

 private:
  History& history_;
  const std::uint64_t window_;
};

constexpr std::uint64_t kSequenceBits = 12;  // of the default layout

struct NodeOnFake {
  History history;
  ManualClock clock{Layout("polyflake").epoch_ms() + 1000};
  Node node{"polyflake", 5, &clock};

  void adopt(std::uint64_t start, std::uint64_t until, std::uint64_t window = 100) {
    node.adopt(start, until, std::make_unique<FakeReservation>(history, window));
  }
  void issue_up_to(std::uint64_t tick, std::uint64_t sequence) {
    node.grant()->last.store((tick << kSequenceBits) + sequence);
  }
  std::uint64_t take_next() { return node.grant()->last.fetch_add(1) + 1; }
};

TEST(Grants, begin_before_their_first_position) {
  const Grant grant(1000, 1100, kSequenceBits);
  EXPECT_EQ(grant.last.load(), 1000U << kSequenceBits);
  EXPECT_EQ(grant.until.load(), 1100U);
  EXPECT_TRUE(grant.of_this_execution());
}

TEST(Grants, freeze_once_and_tell_the_last_position_once) {
  Grant grant(1000, 1100, kSequenceBits);
  grant.last.fetch_add(3);
  EXPECT_EQ(grant.freeze(), (1000U << kSequenceBits) + 3);
  EXPECT_EQ(grant.freeze(), Grant::kFrozen);
}

TEST(Executions, are_one_number_per_execution) {
  const std::uint64_t mine = Execution::current();
  EXPECT_GE(mine, 1U);
  EXPECT_EQ(Execution::word().load(), mine);
  std::uint64_t other = 0;
  std::thread([&] { other = Execution::current(); }).join();
  EXPECT_EQ(other, mine);
}

TEST(Nodes, extend_only_beyond_the_current_window) {
  NodeOnFake fake;
  fake.adopt(1000, 1100);
  Grant& grant = *fake.node.grant();
  EXPECT_EQ(fake.node.extend(grant, 1099), Extension::done);
  EXPECT_TRUE(fake.history.extended_to.empty());
  EXPECT_EQ(fake.node.extend(grant, 1100), Extension::done);
  EXPECT_EQ(fake.history.extended_to, std::vector<std::uint64_t>{1200});
  EXPECT_EQ(grant.until.load(), 1200U);
}

TEST(NodeTables, give_threads_that_open_the_same_node_id_at_once_the_same_node) {
  const std::uint64_t count = test::scaled(20'000);
  const Layout layout("timestamp:31 server:20 sequence:12 tick=1s epoch=2020-01-01T00:00:00.000Z");
  std::vector<std::atomic<int>> arrived(count);
  const auto nodes = test::together(2, [&](int, test::Ids& mine) {
    for (std::uint64_t id = 0; id < count; ++id) {
      ++arrived[id];
      while (arrived[id] < 2) std::this_thread::yield();
      mine.push_back(reinterpret_cast<std::uintptr_t>(&NodeTable::current().find_or_add(layout, id)));
    }
  });
  EXPECT_EQ(nodes[0], nodes[1]);
}

TEST(Nodes, keep_a_grant_that_may_not_be_extended_yet) {
  NodeOnFake fake;
  fake.adopt(1000, 1100);
  fake.history.farthest = 1099;
  EXPECT_EQ(fake.node.extend(*fake.node.grant(), 1100), Extension::too_far);
  EXPECT_FALSE(fake.node.lost());
  EXPECT_EQ(fake.node.grant()->until.load(), 1100U);
  EXPECT_EQ(fake.history.destroyed, 0);
}

TEST(Nodes, never_extend_a_grant_that_was_replaced) {
  NodeOnFake fake;
  fake.adopt(1000, 1100);
  Grant& former = *fake.node.grant();
  fake.adopt(1000, 1100);
  fake.node.extend(former, 5000);
  EXPECT_TRUE(fake.history.extended_to.empty());
  EXPECT_EQ(former.until.load(), 1100U);
  EXPECT_EQ(former.last.load(), Grant::kFrozen);
}

TEST(Nodes, a_failed_extension_freezes_the_grant_and_drops_its_reservation) {
  NodeOnFake fake;
  fake.adopt(1000, 1100);
  fake.history.failing = true;
  EXPECT_ERROR(fake.node.extend(*fake.node.grant(), 1100), registry_unusable);
  EXPECT_TRUE(fake.node.lost());
  EXPECT_EQ(fake.node.grant()->last.load(), Grant::kFrozen);
  EXPECT_EQ(fake.history.destroyed, 1);
  EXPECT_TRUE(fake.history.released_at.empty()) << "what was written is unknown, so the mark must stay";
  fake.history.failing = false;
  fake.node.extend(*fake.node.grant(), 1100);
  EXPECT_TRUE(fake.history.extended_to.empty());
}

TEST(Nodes, a_successor_starts_after_the_last_tick_stamped) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  fake.issue_up_to(1500, 7);
  fake.adopt(1200, 3000);
  EXPECT_EQ(fake.node.grant()->begin, std::uint64_t{1501} << kSequenceBits);
  EXPECT_EQ(fake.node.last_tick(), 1501U);
  EXPECT_FALSE(fake.node.lost());
}

TEST(Nodes, a_successor_of_a_grant_that_issued_nothing_starts_where_it_says) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  fake.adopt(1000, 2000);
  EXPECT_EQ(fake.node.grant()->begin, std::uint64_t{1000} << kSequenceBits);
}

TEST(Nodes, a_window_that_begins_in_the_future_and_issued_nothing_holds_back_no_other_when_it_is_retired) {
  NodeOnFake fake;
  fake.adopt(1000, 1100);
  fake.node.retire();
  EXPECT_LE(fake.node.first_free_tick(), 1000U);
}

TEST(Nodes, that_issued_nothing_remember_what_was_issued_elsewhere_before_them) {
  NodeOnFake first, second, third;
  first.adopt(1000, 2000);
  first.issue_up_to(1499, 7);
  first.node.retire();
  second.adopt(1500, 2000);  // which is just where it may begin
  second.node.skip_to(first.node.first_free_tick());
  second.node.retire();
  EXPECT_EQ(second.node.first_free_tick(), 1500U);
  third.adopt(1200, 2000);  // the clock went back
  third.node.skip_to(second.node.first_free_tick());
  EXPECT_EQ(third.node.last_tick(), 1500U);
  second.adopt(1200, 2000);
  EXPECT_EQ(second.node.grant()->begin, std::uint64_t{1500} << kSequenceBits);
}

TEST(Nodes, remember_the_last_tick_over_several_grants) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  fake.issue_up_to(1900, 1);
  fake.adopt(1000, 2000);  // begins at 1901 and issues nothing
  fake.adopt(1000, 2000);
  EXPECT_GE(fake.node.grant()->begin, std::uint64_t{1901} << kSequenceBits);
}

TEST(Nodes, release_gives_back_the_last_tick_stamped_once) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  fake.issue_up_to(1234, 1);
  fake.node.release(true);
  fake.node.release(true);
  EXPECT_EQ(fake.history.released_at, std::vector<std::uint64_t>{1234});
  EXPECT_TRUE(fake.node.lost());
}

TEST(Nodes, released_unused_give_back_where_they_began_not_earlier) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  fake.node.release(true);
  EXPECT_EQ(fake.history.released_at, std::vector<std::uint64_t>{1000});
}

TEST(Nodes, of_static_node_ids_are_never_released_or_extended) {
  ManualClock clock(0);
  Node node("polyflake", 5, &clock);
  node.adopt(0, node.layout().end_tick(), nullptr);
  node.release(true);
  EXPECT_FALSE(node.lost());
  EXPECT_NE(node.grant()->last.load(), Grant::kFrozen);
}

TEST(Nodes, issued_counts_positions_less_those_skipped) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  EXPECT_EQ(fake.node.issued(), 0U);
  fake.take_next();
  fake.take_next();
  EXPECT_EQ(fake.node.issued(), 2U);
  fake.adopt(1000, 2000);
  fake.take_next();
  EXPECT_EQ(fake.node.issued(), 3U);
}

TEST(Nodes, issued_is_never_below_nothing_when_a_grant_ends_while_a_call_is_about_to_jump) {
  NodeOnFake fake;
  fake.adopt(1000, 2000);
  fake.take_next();
  fake.node.grant()->skipped.fetch_add(5);  // and has not swapped yet
  fake.node.release(true);
  EXPECT_EQ(fake.node.issued(), 0U);
}

TEST(Nodes, ticks_round_down_also_before_the_epoch) {
  ManualClock clock(0);
  const Node node("sonyflake", 5, &clock);
  const std::int64_t epoch_ms = node.layout().epoch_ms();
  clock.set(epoch_ms + 9);
  EXPECT_EQ(node.now(), 0);
  clock.set(epoch_ms + 10);
  EXPECT_EQ(node.now(), 1);
  clock.set(epoch_ms - 1);
  EXPECT_EQ(node.now(), -1);
  clock.set(epoch_ms - 10);
  EXPECT_EQ(node.now(), -1);
  clock.set(epoch_ms - 11);
  EXPECT_EQ(node.now(), -2);
}

TEST(NodeTables, give_one_node_per_layout_and_node_to_all_threads) {
  NodeTable& table = NodeTable::current();
  std::vector<Node*> found(8);
  std::vector<std::thread> threads;
  for (Node*& each : found) threads.emplace_back([&] { each = &table.find_or_add("tsid", 77); });
  for (std::thread& thread : threads) thread.join();
  for (Node* const each : found) EXPECT_EQ(each, found[0]);
  EXPECT_NE(&table.find_or_add("tsid", 78), found[0]);
  EXPECT_NE(&table.find_or_add("polyflake", 77), found[0]);
  EXPECT_EQ(table.find("discord", 77), nullptr);
  EXPECT_FALSE(table.in_use_by_an_ancestor("tsid", 77));
}

}  // namespace
}  // namespace polyflake
