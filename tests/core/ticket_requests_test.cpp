// Requests to one ticket server: its statements, and the meaning of its replies.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "count/ticket_requests.hpp"
#include "expect_error.hpp"

namespace polyflake::count {
namespace {

const std::string kLook = "SELECT VERSION(), @@auto_increment_increment, @@auto_increment_offset";
const std::string kSet = "SET SESSION auto_increment_increment = 3, auto_increment_offset = 2";
const std::string kReplace = "REPLACE INTO `Tickets64` (stub) VALUES ('a')";

// Wants numbers for ever, and keeps what it is told.
class Taker final : public TicketAsker {
 public:
  bool wants_number() override { return true; }
  bool answered(std::uint64_t number) override {
    numbers.push_back(number);
    return number % 3 != 2;
  }
  void undone(const std::string&) override { ++times_undone; }
  void failed(const std::string& reason) override { failure = reason; }

  std::vector<std::uint64_t> numbers;
  int times_undone = 0;
  std::string failure;
};

class ServerTwoOfThree : public testing::Test {
 protected:
  // The statements of the next command.
  std::vector<std::string> statements() {
    const lease::StoreSession::Step step = session.step();
    number = step.number;
    std::vector<std::string> texts;
    if (!step.command) return texts;
    for (const auto& part : step.command->parts) texts.push_back(part.at(0));
    return texts;
  }
  void reply(lease::Row row) { session.deliver(number, {std::move(row)}); }
  void fail(const std::string& code) { session.fail(number, code, "failed with " + code); }

  const std::shared_ptr<Taker> taker = std::make_shared<Taker>();
  lease::StoreSession session{ticket_requests(taker, {2, 3, ticket_table("Tickets64")}, std::nullopt)};
  std::uint64_t number = 0;
};

using Texts = std::vector<std::string>;

TEST_F(ServerTwoOfThree, of_mariadb_gets_its_class_with_each_statement) {
  EXPECT_EQ(statements(), Texts{kLook});
  reply({"10.11.6-MariaDB-0+deb12u1", "1", "1"});
  const Texts set_for = {"SET STATEMENT auto_increment_increment = 3, auto_increment_offset = 2 FOR " + kReplace};
  for (const char* const given : {"5", "6", "8"}) {
    EXPECT_EQ(statements(), set_for);
    reply({given});
  }
  EXPECT_EQ(taker->numbers, (std::vector<std::uint64_t>{5, 6, 8}));
}

TEST_F(ServerTwoOfThree, of_mysql_gets_its_class_for_the_session_and_again_when_it_has_lost_it) {
  EXPECT_EQ(statements(), Texts{kLook});
  reply({"8.0.36", "1", "1"});
  EXPECT_EQ(statements(), (Texts{kSet, kReplace}));
  reply({"5"});
  EXPECT_EQ(statements(), Texts{kReplace});
  reply({"6"});
  EXPECT_EQ(statements(), (Texts{kSet, kReplace}));
  reply({"8"});
  EXPECT_EQ(statements(), Texts{kReplace});
}

TEST_F(ServerTwoOfThree, that_is_configured_for_its_class_is_not_told) {
  EXPECT_EQ(statements(), Texts{kLook});
  reply({"8.0.36", "3", "2"});
  EXPECT_EQ(statements(), Texts{kReplace});
}

TEST_F(ServerTwoOfThree, that_failed_is_looked_at_again_on_another_connection) {
  EXPECT_EQ(statements(), Texts{kLook});
  reply({"8.0.36", "1", "1"});
  statements();
  fail("2013");
  EXPECT_EQ(taker->failure, "failed with 2013");
  EXPECT_EQ(statements(), Texts{kLook});
  fail("1146");
  EXPECT_NE(taker->failure.find("CREATE TABLE"), std::string::npos) << taker->failure;
  statements();
  fail("1227");
  EXPECT_NE(taker->failure.find("SESSION_VARIABLES_ADMIN"), std::string::npos) << taker->failure;
}

TEST_F(ServerTwoOfThree, that_undid_a_statement_has_not_failed) {
  for (const char* const code : {"1213", "1205"}) {
    statements();
    fail(code);
  }
  EXPECT_EQ(taker->times_undone, 2);
  EXPECT_EQ(taker->failure, "");
}

TEST_F(ServerTwoOfThree, whose_reply_is_no_number_gave_0) {
  statements();
  reply({"8.0.36", "3", "2"});
  statements();
  reply({std::nullopt});
  statements();
  reply({"-1"});
  EXPECT_EQ(taker->numbers, (std::vector<std::uint64_t>{0, 0}));
}

TEST_F(ServerTwoOfThree, whose_reply_has_no_row_failed) {
  statements();
  session.deliver(number, {});
  EXPECT_NE(taker->failure.find("one row is due"), std::string::npos) << taker->failure;
}

TEST(TicketSyntaxes, follow_the_version) {
  for (const char* const version :
       {"10.5.0-MariaDB", "10.11.6-MariaDB-log", "11.4.2-MariaDB", "5.5.5-10.6.1-MariaDB"}) {
    EXPECT_EQ(ticket_syntax_of(version), TicketSyntax::statement) << version;
  }
  for (const char* const version :
       {"10.4.33-MariaDB", "5.5.68-MariaDB", "8.0.36", "9.0.1", "", "MariaDB", "x.y-MariaDB"}) {
    EXPECT_EQ(ticket_syntax_of(version), TicketSyntax::session) << version;
  }
}

TEST(TicketTables, are_names_or_a_database_and_a_name) {
  EXPECT_EQ(ticket_table("Tickets64"), "`Tickets64`");
  EXPECT_EQ(ticket_table("db_1.$t"), "`db_1`.`$t`");
  EXPECT_EQ(ticket_table(std::string(64, 'a')), "`" + std::string(64, 'a') + "`");
  for (const std::string& table : {std::string(), std::string("a b"), std::string("a`b"), std::string("a.b.c"),
                                   std::string("a."), std::string(".a"), std::string("a-b"), std::string("a;b"),
                                   std::string(65, 'a'), std::string("a\0b", 3), std::string("t\xc3\xa4g")}) {
    SCOPED_TRACE(table);
    EXPECT_ERROR(ticket_table(table), option_invalid);
  }
}

}  // namespace
}  // namespace polyflake::count
