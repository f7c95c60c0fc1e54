// Queues: turns, one range at a time, and refusals, with sources that do what a test says.
#include "ids/queue.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <polyflake/error.hpp>

namespace polyflake::server {
namespace {

// Gives 1, 2, 3, ... while it has some; asks for patience when it has none.
class Scripted final : public Source {
 public:
  Answer take(std::size_t n) override {
    asked.push_back(n);
    if (failure != nullptr) throw Error(*failure, "as the test says");
    const std::size_t count = std::min(n, left);
    if (count == 0) return {{}, wait_ns};
    left -= count;
    const IdRange ids{next, 1, count, true};
    next += count;
    return {ids, 0};
  }
  void drop() noexcept override { ++drops; }
  double ns_per_id() const override { return ns; }
  const Layout* layout() const override { return nullptr; }
  State state() override { return {true, "open", "", 0, 0}; }
  void renew() override {}
  void close() noexcept override {}

  std::size_t left = 1'000'000;
  std::uint64_t next = 1;
  double ns = 0;
  std::int64_t wait_ns = 1'000'000;
  int drops = 0;
  const ErrorCode* failure = nullptr;
  std::vector<std::size_t> asked;
};

struct Client final : Caller {
  explicit Client(std::size_t wanted) : missing(wanted) {}
  std::size_t wanted() const override { return missing; }
  void take(const IdRange& range) override {
    std::vector<std::uint64_t> some(range.count);
    range.write(some.data());
    ids.insert(ids.end(), some.begin(), some.end());
    missing -= range.count;
  }
  void refuse(const Refusal& refusal) override {
    code = refusal.code;
    missing = 0;
  }
  void served() override {
    ++servings;
    if (then) then();
  }

  std::size_t missing;
  std::vector<std::uint64_t> ids;
  std::string code;
  int servings = 0;
  std::function<void()> then;
};

struct QueueTest : testing::Test {
  // Runs the loop until this is true, which it has to become.
  template <class Fact>
  void until(Fact fact) {
    constexpr std::chrono::seconds kHangs(60);
    const auto end = std::chrono::steady_clock::now() + kHangs;
    while (!fact() && std::chrono::steady_clock::now() < end) {
      loop.run_one_for(std::chrono::milliseconds(10));
      loop.restart();
    }
    EXPECT_TRUE(fact());
  }

  boost::asio::io_context loop;
  Scripted* source = new Scripted;
  Queue queue{loop, "orders", std::unique_ptr<Source>(source), 500};
};

TEST_F(QueueTest, who_can_be_served_is_served_at_once_in_turns_of_256) {
  Client client(600);
  EXPECT_TRUE(queue.ask(client, false));
  EXPECT_EQ(client.ids.size(), 600U);
  EXPECT_EQ(client.ids.back(), 600U);
  EXPECT_EQ(client.servings, 0);
  EXPECT_EQ(source->asked, (std::vector<std::size_t>{256, 256, 88}));
}

TEST_F(QueueTest, who_must_wait_is_told_once_it_has_all) {
  source->left = 100;
  Client client(200);
  EXPECT_FALSE(queue.ask(client, false));
  EXPECT_EQ(client.ids.size(), 100U);
  source->left = 1000;
  until([&] { return client.servings == 1; });
  EXPECT_EQ(client.ids.size(), 200U);
  EXPECT_EQ(client.servings, 1);
}

TEST_F(QueueTest, three_of_four_turns_are_those_of_few) {
  source->left = 0;
  Client many(10'000);
  EXPECT_FALSE(queue.ask(many, false));
  std::vector<std::unique_ptr<Client>> few;
  for (int i = 0; i < 2000; ++i) {
    few.push_back(std::make_unique<Client>(1));
    EXPECT_FALSE(queue.ask(*few.back(), true));
  }
  source->left = 8 * Queue::kTurn;
  until([&] { return source->left == 0; });
  std::size_t served = 0;
  for (const auto& one : few) served += one->ids.size();
  EXPECT_EQ(served, 6 * Queue::kTurn);
  EXPECT_EQ(many.ids.size(), 2 * Queue::kTurn);
}

TEST_F(QueueTest, a_line_that_waits_alone_has_all_turns) {
  source->left = 0;
  Client many(1024);
  EXPECT_FALSE(queue.ask(many, false));
  source->left = 1024;
  until([&] { return many.servings == 1; });
  EXPECT_EQ(many.servings, 1);
}

TEST_F(QueueTest, callers_of_a_line_are_served_in_their_order) {
  source->left = 0;
  Client a(512);
  Client b(256);
  EXPECT_FALSE(queue.ask(a, false));
  EXPECT_FALSE(queue.ask(b, false));
  source->left = 600;
  until([&] { return source->left == 0; });
  EXPECT_EQ(a.servings, 1);
  EXPECT_EQ(b.ids.size(), 88U);
}

TEST_F(QueueTest, who_comes_later_does_not_overtake_one_who_waits) {
  source->left = 0;
  Client first(1);
  EXPECT_FALSE(queue.ask(first, true));
  source->left = 10;
  Client second(1);
  EXPECT_FALSE(queue.ask(second, true));
  until([&] { return second.servings == 1; });
  EXPECT_LT(first.ids.at(0), second.ids.at(0));
}

TEST_F(QueueTest, a_failure_refuses_all_who_wait_and_nobody_after_that) {
  source->left = 0;
  Client few(1);
  Client many(1000);
  EXPECT_FALSE(queue.ask(few, true));
  EXPECT_FALSE(queue.ask(many, false));
  const ErrorCode code = ErrorCode::store_unavailable;
  source->failure = &code;
  until([&] { return few.servings + many.servings == 2; });
  EXPECT_EQ(few.code, "store_unavailable");
  EXPECT_EQ(many.code, "store_unavailable");
  EXPECT_EQ(few.servings + many.servings, 2);
  source->failure = nullptr;
  source->left = 1;
  Client next(1);
  EXPECT_TRUE(queue.ask(next, true));
  EXPECT_EQ(next.ids.size(), 1U);
}

TEST_F(QueueTest, who_asks_again_while_all_are_refused_is_refused_once_a_round) {
  source->left = 0;
  const ErrorCode code = ErrorCode::store_unavailable;
  Client stubborn(1);
  stubborn.then = [&] {
    if (stubborn.servings > 3) return;
    stubborn.missing = 1;
    EXPECT_FALSE(queue.ask(stubborn, true));
  };
  EXPECT_FALSE(queue.ask(stubborn, true));
  source->failure = &code;
  until([&] { return stubborn.servings == 4; });
  EXPECT_EQ(stubborn.servings, 4);
}

TEST_F(QueueTest, a_wait_that_would_be_too_long_is_refused_at_once) {
  source->ns = 1e6;  // an id takes a millisecond
  source->left = 0;
  Client most(490);
  EXPECT_FALSE(queue.ask(most, false));
  Client more(20);
  EXPECT_TRUE(queue.ask(more, false));
  EXPECT_EQ(more.code, "busy");
  // Few have three of four turns, so they wait for few alone.
  Client few(300);
  EXPECT_FALSE(queue.ask(few, true));
  Client too_many(100);
  EXPECT_TRUE(queue.ask(too_many, true));
  EXPECT_EQ(too_many.code, "busy");
}

TEST_F(QueueTest, a_source_that_has_no_ids_for_longer_refuses_at_once_who_asks_and_who_waits) {
  source->left = 0;
  Client early(1);
  EXPECT_FALSE(queue.ask(early, true));
  source->wait_ns = 501'000'000;  // more than the longest wait
  until([&] { return early.servings == 1; });
  EXPECT_EQ(early.code, "busy");
  EXPECT_EQ(early.servings, 1);
  Client late(1);
  EXPECT_TRUE(queue.ask(late, true));
  EXPECT_EQ(late.code, "busy");
}

TEST_F(QueueTest, the_time_until_the_source_has_ids_is_a_part_of_the_wait) {
  source->ns = 1e6;
  source->left = 0;
  source->wait_ns = 400'000'000;
  Client first(90);
  EXPECT_FALSE(queue.ask(first, false));
  Client second(90);
  EXPECT_TRUE(queue.ask(second, false));
  EXPECT_EQ(second.code, "busy");
}

TEST_F(QueueTest, who_waits_twice_the_longest_wait_is_refused) {
  Queue impatient(loop, "orders", std::make_unique<Scripted>(), 2);
  auto& dry = static_cast<Scripted&>(impatient.source());
  dry.left = 0;
  Client few(1);
  Client many(1000);
  EXPECT_FALSE(impatient.ask(few, true));
  EXPECT_FALSE(impatient.ask(many, false));
  until([&] { return few.servings + many.servings == 2; });
  EXPECT_EQ(few.code, "busy");
  EXPECT_EQ(many.code, "busy");
}

TEST_F(QueueTest, ids_that_are_there_are_given_also_to_who_may_not_wait) {
  Queue impatient(loop, "orders", std::make_unique<Scripted>(), 0);
  auto& slow = static_cast<Scripted&>(impatient.source());
  slow.ns = 1e6;
  slow.left = 1;
  Client first(1);
  EXPECT_TRUE(impatient.ask(first, true));
  EXPECT_EQ(first.ids.size(), 1U);
  Client second(1);
  EXPECT_TRUE(impatient.ask(second, true));
  EXPECT_EQ(second.code, "busy");
  EXPECT_EQ(slow.drops, 2);
}

TEST_F(QueueTest, who_is_gone_is_counted_no_longer) {
  source->ns = 1e6;
  source->left = 0;
  {
    Client most(490);
    EXPECT_FALSE(queue.ask(most, false));
  }
  EXPECT_EQ(source->drops, 1);
  Client next(490);
  EXPECT_FALSE(queue.ask(next, false));
  EXPECT_EQ(next.code, "");
}

TEST_F(QueueTest, one_who_goes_while_another_is_served_breaks_nothing) {
  source->left = 0;
  auto second = std::make_unique<Client>(1);
  Client first(1);
  first.then = [&] { second.reset(); };
  Client third(1);
  EXPECT_FALSE(queue.ask(first, true));
  EXPECT_FALSE(queue.ask(*second, true));
  EXPECT_FALSE(queue.ask(third, true));
  source->left = 10;
  until([&] { return first.servings + third.servings == 2; });
  EXPECT_EQ(first.servings, 1);
  EXPECT_EQ(third.servings, 1);
}

TEST_F(QueueTest, who_is_served_may_ask_again_and_comes_after_those_who_wait) {
  source->left = 0;
  Client again(1);
  Client other(1);
  again.then = [&] {
    if (again.servings > 1) return;
    again.missing = 1;
    EXPECT_FALSE(queue.ask(again, true));
  };
  EXPECT_FALSE(queue.ask(again, true));
  EXPECT_FALSE(queue.ask(other, true));
  source->left = 10;
  until([&] { return again.ids.size() == 2; });
  ASSERT_EQ(again.ids.size(), 2U);
  EXPECT_LT(other.ids.at(0), again.ids.at(1));
}

}  // namespace
}  // namespace polyflake::server
