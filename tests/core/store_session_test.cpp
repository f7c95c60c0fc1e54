// From what is asked to commands, over the dialect of a store whose tables may be missing.
#include <polyflake/store.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lease/record.hpp"
#include "lease/store_session.hpp"

namespace polyflake::lease {
namespace {

constexpr const char* kMissing = "42P01";

// Asks for the namespace, and keeps what it is told.
class Reader final : public Asker {
 public:
  Action next() override {
    Action action{Action::Kind::read};
    action.number = ++asked;
    return action;
  }
  void deliver(std::uint64_t, const Contents& contents) override { told = contents; }
  void deliver(std::uint64_t, const Answer&) override {}
  void deliver_nothing(std::uint64_t, const std::string& reason) override { failure = reason; }
  bool makes_namespace() const override { return makes; }

  bool makes = true;
  std::uint64_t asked = 0;
  std::optional<Contents> told;
  std::string failure;
};

class TablesOfAStore : public testing::Test {
 protected:
  // The command to be carried, by its first statement.
  std::string command() {
    const StoreSession::Step step = session.step();
    number = step.number;
    return step.command ? step.command->parts.at(0).at(0) : "none";
  }
  void succeed() { session.deliver(number, {}); }
  void fail(const std::string& code) { session.fail(number, code, "failed with " + code); }
  void prepare() {
    for (std::size_t i = 0; i < preparations; ++i) {
      EXPECT_NE(command().find("CREATE"), std::string::npos);
      succeed();
    }
  }

  Reader reader;
  StoreSession session{requests_of(reader, make_dialect("postgresql", "orders", "sales", Placeholder::question))};
  const std::size_t preparations = session.store().preparation().size();
  std::uint64_t number = 0;
};

TEST_F(TablesOfAStore, that_are_missing_are_made_before_who_makes_the_namespace_is_told_of_the_store) {
  const std::string read = command();
  fail(kMissing);
  EXPECT_FALSE(reader.told) << "without an incarnation nothing can be said to be fresh";
  prepare();
  EXPECT_EQ(command(), read) << "again";
  EXPECT_EQ(reader.asked, 1U) << "nobody was asked what to do next";
}

TEST_F(TablesOfAStore, that_are_missing_are_left_so_for_others) {
  reader.makes = false;
  command();
  fail(kMissing);
  ASSERT_TRUE(reader.told);
  EXPECT_FALSE(reader.told->space);
}

TEST_F(TablesOfAStore, that_cannot_be_made_fail_with_what_the_store_said) {
  const std::string read = command();
  fail(kMissing);
  command();
  fail("42501");
  EXPECT_EQ(command(), read) << "somebody else may have made them at the same moment";
  fail(kMissing);
  EXPECT_FALSE(reader.told);
  EXPECT_EQ(reader.failure.find("failed with 42501; "), 0U) << reader.failure;
  EXPECT_NE(reader.failure.find("GRANT CREATE, USAGE ON SCHEMA \"sales\""), std::string::npos) << reader.failure;
}

TEST_F(TablesOfAStore, that_are_still_missing_once_they_were_made_are_not_made_for_ever) {
  const std::string read = command();
  fail(kMissing);
  prepare();
  EXPECT_EQ(command(), read);
  fail(kMissing);
  EXPECT_TRUE(reader.told);
}

TEST(Advice, is_of_what_the_store_or_the_system_answered) {
  const std::pair<const char*, const char*> answers[] = {
      {"WRONGPASS", "refused this user"}, {"NOAUTH", "asks for a password"},
      {"28P01", "refused this user"},     {"1045", "refused this user"},
      {"3D000", "no database"},           {"1049", "no database"},
      {"401", "refused this user"},       {"ECONNREFUSED", "no server listens"},
      {"ENOTFOUND", "not known here"},    {"ETIMEDOUT", "not answer in time"},
      {"ECONNRESET", "expects TLS"},      {"TLS", "TLS failed"},
      {"CERT_HAS_EXPIRED", "TLS failed"}, {"-102", "may not read and write"},
      {"53300", "no connection left"}};
  for (const char* const kind : {"redis", "zookeeper", "etcd", "postgresql", "mysql"}) {
    const auto dialect = make_dialect(kind, "orders", "", Placeholder::question);
    for (const auto& [code, sentence] : answers)
      EXPECT_NE(dialect->advice(code).find(sentence), std::string::npos) << kind << ' ' << code;
    for (const char* const code : {"", "XX000", "TL", "refused"}) EXPECT_EQ(dialect->advice(code), "") << code;
  }
}

// Writes the namespace.
class Writer final : public Asker {
 public:
  Action next() override {
    Action action{Action::Kind::cas};
    action.cas.echo = {1, 2};
    action.cas.space.emplace();
    return action;
  }
  void deliver(std::uint64_t, const Contents&) override {}
  void deliver(std::uint64_t, const Answer& answer) override { told = answer; }
  void deliver_nothing(std::uint64_t, const std::string& reason) override { failure = reason; }

  std::optional<Answer> told;
  std::string failure;
};

Reply reply_of_redis(const std::string& outcome, const std::string& echo) {
  const char* const kAlone = "role:master\r\nconnected_slaves:0\r\nmaster_repl_offset:0\r\nsecond_repl_offset:-1\r\n";
  return {{outcome, echo, "run:reign:0+0", "1", "", "named", kAlone}};
}

TEST(Replies, that_are_understood_and_repeat_the_request_keep_the_connection) {
  Writer writer;
  StoreSession session(requests_of(writer, make_dialect("redis", "orders", "", Placeholder::question)));
  const std::uint64_t number = session.step().number;
  EXPECT_TRUE(session.deliver(number, reply_of_redis("conflict", "00000000000000010000000000000002")));
  EXPECT_TRUE(writer.told);
  EXPECT_TRUE(session.deliver(number, {{"again"}})) << "the second reply to a command is ignored";
}

TEST(Replies, that_answer_another_request_cost_the_connection) {
  Writer writer;
  StoreSession session(requests_of(writer, make_dialect("redis", "orders", "", Placeholder::question)));
  EXPECT_FALSE(session.deliver(session.step().number, reply_of_redis("ok", "00000000000000010000000000000003")));
  ASSERT_TRUE(writer.told) << "the asker compares the echo itself";
}

TEST(Replies, of_redis_that_answer_an_earlier_look_cost_the_connection) {
  Reader reader;
  StoreSession session(requests_of(reader, make_dialect("redis", "orders", "", Placeholder::question)));
  Reply look = reply_of_redis("", "");
  look.front().erase(look.front().begin(), look.front().begin() + 2);
  EXPECT_FALSE(session.deliver(session.step().number, look));
}

TEST(Replies, that_are_not_understood_cost_the_connection) {
  Writer writer;
  StoreSession session(requests_of(writer, make_dialect("redis", "orders", "", Placeholder::question)));
  EXPECT_FALSE(session.deliver(session.step().number, {{"fine"}}));
  EXPECT_NE(writer.failure.find("not understood"), std::string::npos) << writer.failure;
}

// An address may lead to another server each time: a name that was told at one is not that of the next.
TEST(NamesOfServers, are_asked_for_before_each_write_that_needs_one) {
  const auto redis = make_dialect("redis", "orders", "", Placeholder::question);
  const auto word_of = [](const Command& command) { return command.parts.at(0).at(0); };
  Cas cas;
  cas.copies = {"10.0.0.1:6379", "10.0.0.2:6379"};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(word_of(redis->begin(cas)), "CONFIG");
    EXPECT_EQ(word_of(std::get<Command>(redis->cas_replied({{}}))), "CLIENT");
    EXPECT_EQ(word_of(std::get<Command>(redis->cas_replied({{"laddr=10.0.0.1:6379"}}))), "EVAL");
  }
}

TEST(Replies, that_name_an_engine_of_tables_are_shown_as_text_that_nobody_vouches_for) {
  Row row(8 + namespace_fields().size() + node_fields().size());
  row[0] = "0", row[1] = "", row[2] = "1:a", row[3] = "1700000000000", row[4] = "Aria\n\xff", row[5] = "1";
  Reader reader;
  StoreSession session(requests_of(reader, make_dialect("mysql", "orders", "", Placeholder::question)));
  EXPECT_FALSE(session.deliver(session.step().number, {row}));
  EXPECT_NE(reader.failure.find("one of them is of (6 characters, not shown"), std::string::npos) << reader.failure;
}

}  // namespace
}  // namespace polyflake::lease
