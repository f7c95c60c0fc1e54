// Stores over carriers that fail, answer wrongly or are inherited: what becomes of a request and of the connection.
#include <polyflake/carrier.hpp>
#include <polyflake/counters.hpp>
#include <polyflake/namespaces.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "expect_error.hpp"
#include "lease/record.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

using lease::Command;
using lease::CommandFailure;
using lease::Reply;
using lease::Row;

constexpr const char* kReplication =
    "role:master\r\nconnected_slaves:0\r\nmaster_repl_offset:7\r\nsecond_repl_offset:-1\r\n";

// Answers what a test says, and notes how it is called.
class Scripted final : public Carrier {
 public:
  using Answers = std::function<Reply(const Command&)>;

  explicit Scripted(Answers answers) : answers_(std::move(answers)) {}

  Reply carry(const Command& command, std::int64_t timeout_ms) override {
    commands.push_back(command);
    limits_ms.push_back(timeout_ms);
    return answers_(command);
  }
  void drop() override {
    ++drops;
    if (fails_to_drop) throw std::runtime_error("it does not close");
  }
  void answers(Answers answers) { answers_ = std::move(answers); }

  std::vector<Command> commands;
  std::vector<std::int64_t> limits_ms;
  int drops = 0;
  bool fails_to_drop = false;

 private:
  Answers answers_;
};

Reply failing(const Command&) { throw CommandFailure("ECONNREFUSED", "no connection"); }

lease::NamespaceRecord space_with(std::int64_t window_ms) {
  lease::NamespaceRecord space;
  space.uuid = {1, 2};
  space.nonce = {3, 4};
  space.term = {5, 6};
  space.layout = Layout::preset("polyflake").fingerprint();
  space.window_ms = window_ms;
  space.tolerance_ms = window_ms / 10;
  space.settled = true;
  space.incarnation = "reign";
  return space;
}

void add_sight(Row& row) {
  for (const char* const field : {"reign", "1700000000000", "", "", kReplication}) row.emplace_back(field);
}

// The reply of a Redis to a read of the namespace alone.
Reply found(const lease::NamespaceRecord& space) {
  Row row;
  add_sight(row);
  for (const std::string& field : fields_of(space)) row.emplace_back(field);
  return {row};
}

// The reply to a cas of a namespace.
Reply done(const std::string& outcome, const std::string& echo) {
  Row row{outcome, echo};
  add_sight(row);
  return {row};
}

class RedisByHand : public testing::Test {
 protected:
  std::shared_ptr<Scripted> carrier = std::make_shared<Scripted>(failing);
  std::shared_ptr<CarriedStore> store = carried_store("redis", "orders", carrier);

  static lease::Cas request() {
    lease::Cas cas;
    cas.echo = {0xabc, 0xdef};
    cas.uuid = {1, 2};
    cas.term = {5, 6};
    cas.incarnation = "reign";
    cas.space = space_with(900);
    return cas;
  }
};

TEST_F(RedisByHand, carries_a_read_and_a_write) {
  carrier->answers([](const Command& command) {
    EXPECT_EQ(command.name, "command");
    EXPECT_EQ(command.parts.at(0).at(0), "EVAL");
    return found(space_with(900));
  });
  EXPECT_EQ(store->read({}).space.value().window_ms, 900);
  carrier->answers([](const Command&) { return done("ok", to_text(request().echo)); });
  const lease::Answer answer = store->cas(request());
  EXPECT_EQ(answer.outcome, lease::Outcome::ok);
  EXPECT_EQ(answer.echo, request().echo);
  EXPECT_EQ(carrier->commands.size(), 2U);
  EXPECT_EQ(carrier->drops, 0);
}

TEST_F(RedisByHand, limits_each_command_to_a_third_of_the_window_and_to_a_second) {
  for (const std::int64_t window_ms : {900, 60'000, 12, 3}) {
    carrier->answers([&](const Command&) { return found(space_with(window_ms)); });
    store->read({});
    store->read({});
  }
  EXPECT_EQ(carrier->limits_ms, (std::vector<std::int64_t>{1000, 300, 300, 1000, 1000, 4, 4, 1}));
}

TEST_F(RedisByHand, gives_an_operators_task_five_seconds_for_each_command_and_then_a_holder_no_more) {
  carrier->answers([&](const Command&) { return found(space_with(900)); });
  EXPECT_ERROR(init_namespace(*store, "twitter"), layout_mismatch);
  EXPECT_ERROR(raise_floor(*store, "twitter", 1'700'000'000'000), layout_mismatch);
  EXPECT_ERROR(leases(*store, "twitter"), layout_mismatch);
  EXPECT_NE(error_of([&] { init_counter(*store, "first", 0); }), "none");
  EXPECT_NE(error_of([&] { raise_counter(*store, "first", 0); }), "none");
  EXPECT_NE(error_of([&] { counters(*store); }), "none");
  EXPECT_GE(carrier->limits_ms.size(), 6U);
  for (const std::int64_t limit_ms : carrier->limits_ms) EXPECT_EQ(limit_ms, 5000);
  carrier->limits_ms.clear();
  std::thread holder([&] { store->read({}); });
  holder.join();
  store->read({});
  EXPECT_EQ(carrier->limits_ms, (std::vector<std::int64_t>{300, 300}));
}

// A namespace whose writes must reach a copy, over a carrier whose own clock goes on by what a command takes.
TEST_F(RedisByHand, limits_the_commands_of_one_exchange_each_by_itself) {
  std::int64_t now_ms = 0;
  carrier->answers([&](const Command&) {
    now_ms += 250;
    Reply reply = found(space_with(900));
    reply[0][2] = "10.0.0.1:6379,10.0.0.2:6379";
    return reply;
  });
  store->read({});
  carrier->answers([&](const Command& command) -> Reply {
    now_ms += 250;
    const std::string& word = command.parts.at(0).at(0);
    if (word == "CONFIG") return {Row{}};
    if (word == "CLIENT") return {Row{"laddr=10.0.0.1:6379 "}};
    Reply reply = done("ok", to_text(request().echo));
    if (command.parts.at(0).size() < 10) reply[0].erase(reply[0].begin(), reply[0].begin() + 2);
    const std::size_t sight = reply[0].size() - 5;
    reply[0][sight + 2] = "10.0.0.1:6379,10.0.0.2:6379";
    return reply;
  });
  EXPECT_ERROR(store->cas(request()), store_unavailable);  // one copy of two has it
  EXPECT_GE(carrier->commands.size(), 5U);
  for (std::size_t i = 1; i < carrier->limits_ms.size(); ++i) EXPECT_EQ(carrier->limits_ms[i], 300);
  EXPECT_GT(now_ms, 900);
}

TEST_F(RedisByHand, is_not_reached_through_a_carrier_that_throws_and_drops_its_connection_each_time) {
  const Scripted::Answers failures[] = {
      failing,
      [](const Command&) -> Reply { throw std::runtime_error("it broke"); },
      [](const Command&) -> Reply { throw Error(ErrorCode::option_invalid, "its own"); },
      [](const Command&) -> Reply { throw 7; },  // NOLINT(hicpp-exception-baseclass)
  };
  for (const auto& failure : failures) {
    carrier->answers(failure);
    const int before = carrier->drops;
    EXPECT_ERROR(store->read({}), store_unavailable);
    EXPECT_ERROR(store->cas(request()), store_unavailable);
    EXPECT_ERROR(store->read_counter("invoices"), store_unavailable);
    EXPECT_ERROR(store->counter_names(), store_unavailable);
    EXPECT_EQ(carrier->drops, before + 4);
  }
  carrier->answers(failing);
  const std::string said = error_of([&] { store->read({}); });
  EXPECT_NE(said.find("no connection; no server listens"), std::string::npos) << said;
}

TEST_F(RedisByHand, drops_a_connection_whose_reply_is_no_answer) {
  Reply short_one = found(space_with(900)), damaged = found(space_with(900)), null = found(space_with(900));
  short_one[0].pop_back();
  damaged[0][5 + 1] = "no uuid";
  null[0][0].reset();
  const Reply replies[] = {{}, {{}}, {Row{"OK"}}, {Row{std::nullopt}}, {{}, {}}, short_one, damaged, null};
  for (const Reply& reply : replies) {
    carrier->answers([&](const Command&) { return reply; });
    const int before = carrier->drops;
    EXPECT_ERROR(store->read({}), store_unavailable);
    EXPECT_ERROR(store->cas(request()), store_unavailable);
    EXPECT_ERROR(store->read_counter("invoices"), store_unavailable);
    EXPECT_EQ(carrier->drops, before + 3);
  }
}

TEST_F(RedisByHand, does_not_take_the_reply_to_another_request_for_its_own) {
  carrier->answers([](const Command&) { return found(space_with(900)); });
  store->read({});
  carrier->answers([](const Command&) { return done("ok", to_text(lease::Word{9, 9})); });
  EXPECT_ERROR(store->cas(request()), store_unavailable);
  EXPECT_EQ(carrier->drops, 1);
  carrier->answers([](const Command&) { return done("maybe", to_text(request().echo)); });
  EXPECT_ERROR(store->cas(request()), store_unavailable);
  EXPECT_EQ(carrier->drops, 2);
}

TEST_F(RedisByHand, sends_nothing_over_a_connection_that_did_not_close) {
  carrier->fails_to_drop = true;
  EXPECT_EQ(error_of([&] { EXPECT_THROW(store->read({}), std::runtime_error); }), "none");
  carrier->answers([](const Command&) { return found(space_with(900)); });
  const std::size_t before = carrier->commands.size();
  EXPECT_THROW(store->read({}), std::runtime_error);
  EXPECT_EQ(carrier->commands.size(), before);
  carrier->fails_to_drop = false;
  EXPECT_EQ(store->read({}).space.value().window_ms, 900);
}

TEST_F(RedisByHand, makes_one_call_at_a_time) {
  std::atomic<int> inside{0}, most{0};
  carrier->answers([&](const Command&) {
    most = std::max(most.load(), ++inside);
    std::this_thread::yield();
    --inside;
    return found(space_with(900));
  });
  together(4, [&](int i, Ids&) {
    for (int n = 0; n < 200; ++n) {
      if (i % 2 == 0) store->read({});
      else EXPECT_ERROR(store->read_counter("invoices"), store_unavailable);  // its reply has too few fields
    }
  });
  EXPECT_EQ(most, 1);
}

// --- tables and settings --------------------------------------------------------------------------

class AbsentTables : public testing::Test {
 protected:
  static bool makes(const Command& command, const std::string& table) {
    const std::string& text = command.parts.at(0).at(0);
    return text.find("CREATE TABLE") != std::string::npos && text.find(table) != std::string::npos;
  }
  std::string said() const {
    std::string words;
    for (const Command& command : carrier->commands) {
      words += makes(command, "") ? "create " : "ask ";
    }
    return words;
  }

  std::shared_ptr<Scripted> carrier = std::make_shared<Scripted>([](const Command& command) -> Reply {
    if (makes(command, "")) return {};
    throw CommandFailure("42P01", "no such table");
  });
  std::shared_ptr<CarriedStore> store = carried_store("postgresql", "orders", carrier, "sales");
};

TEST_F(AbsentTables, are_an_empty_namespace_to_who_reads) {
  EXPECT_FALSE(store->read({}).space);
  EXPECT_FALSE(store->read_counter("invoices").record);
  EXPECT_EQ(store->counter_names(), std::nullopt);
  EXPECT_EQ(said(), "ask ask ask ask ") << "a counter that is not found: is there a namespace?";
}

TEST_F(AbsentTables, are_made_before_a_namespace_is) {
  lease::Cas cas;
  cas.makes_namespace = true;
  cas.space = space_with(900);
  EXPECT_ERROR(store->cas(cas), store_unavailable);
  EXPECT_EQ(said(), "create create ask ");
  for (const Command& command : carrier->commands)
    EXPECT_NE(command.parts.at(0).at(0).find("\"sales\""), std::string::npos);
}

TEST_F(AbsentTables, are_made_before_a_counter_is) {
  count::WriteHead head;
  head.counter = "invoices";
  EXPECT_ERROR(store->write_head(head), store_unavailable);
  EXPECT_EQ(said(), "ask create ask ask ask ") << "still missing: is there a namespace? Then the write";
  head.head_nonce = count::Word{1, 1};
  carrier->commands.clear();
  EXPECT_ERROR(store->write_head(head), store_unavailable);
  EXPECT_EQ(said(), "ask ");
}

class Prepared final : public Carrier {
 public:
  Reply carry(const Command&, std::int64_t) override { throw CommandFailure("", "no connection"); }
  void drop() override {}
  void set_up(const std::vector<std::string>& given) override { statements = given; }
  std::vector<std::string> statements;
};

TEST(CarriedStores, tell_a_carrier_how_its_connections_begin) {
  const auto carrier = std::make_shared<Prepared>();
  carried_store("redis", "orders", carrier);
  EXPECT_EQ(carrier->statements.size(), 0U);
  carried_store("mysql", "orders", carrier);
  EXPECT_EQ(carrier->statements.size(), 2U);
  EXPECT_ERROR(carried_store("mysql", "orders", std::make_shared<Scripted>(failing)), option_invalid);
}

TEST(CarriedStores, refuse_what_is_no_store) {
  const auto carrier = std::make_shared<Scripted>(failing);
  for (const char* const kind : {"memory", "", "Redis", "redis://h"})
    EXPECT_ERROR(carried_store(kind, "orders", carrier), option_invalid);
  for (const char* const name : {"", "Orders", "a b", "-a"})
    EXPECT_ERROR(carried_store("redis", name, carrier), option_invalid);
  EXPECT_ERROR(carried_store("redis", "orders", nullptr), option_invalid);
  EXPECT_ERROR(carried_store("redis", "orders", carrier, "sales"), option_invalid);
  EXPECT_ERROR(carried_store("postgresql", "orders", carrier, "pg_temp"), option_invalid);
  EXPECT_ERROR(carried_store("postgresql", "orders", carrier, "a\"b"), option_invalid);
  for (const char* const kind : {"redis", "zookeeper", "etcd", "postgresql"})
    EXPECT_ERROR(init_namespace(*carried_store(kind, "orders", carrier), "polyflake"), store_unavailable);
}

}  // namespace
}  // namespace polyflake::test
