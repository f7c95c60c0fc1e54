// RESP at a listener with tokens: AUTH, and what each command needs.
#include <gtest/gtest.h>

#include <string>

#include "moved_clock.hpp"
#include "resp/resp.hpp"
#include "served_numbers.hpp"

namespace polyflake::server::test {
namespace {

constexpr char kBilling[] = "billing-0123456789";
constexpr char kOps[] = "ops-\"0123456789'abcdef";
constexpr char kInspect[] = "inspect-0123456789";
constexpr char kNoAuth[] = "-NOAUTH Authentication required.\r\n";
constexpr char kWrongPass[] = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";

struct RespAccessTest : testing::Test {
  RespAccessTest() {
    numbers.generator("orders", 1);
    numbers.generator("users", 1);
    numbers.counter("invoices", 1);
  }

  std::string says(const std::string& line) { return Conversation(resp).say(line + "\r\n"); }
  std::string auth(const std::string& words) { return says("AUTH " + words); }
  // Returns the first word of a reply.
  std::string word(const std::string& line) {
    const std::string reply = says(line);
    return reply.substr(0, reply.find_first_of(" \r"));
  }

  ServedNumbers numbers;
  Access access{{{"billing", Secret(kBilling), {"orders"}, 100, false},
                 {"ops", Secret(kOps), {}, 0, false},
                 {"inspect", Secret(kInspect), {"invoices"}, 0, true}},
                read_now_ns};
  Gate gate{access};
  Resp resp{numbers.service, &gate};
};

TEST_F(RespAccessTest, before_auth_four_commands_are_answered) {
  for (const char* line : {"INCR orders",
                           "INCR nobody",
                           "INCR",
                           "INCRBY orders 1",
                           "INCRBY orders 2",
                           "POLYFLAKE.NEXT orders",
                           "POLYFLAKE.NEXT orders x",
                           "POLYFLAKE.DECODE 7",
                           "POLYFLAKE.INFO",
                           "INFO",
                           "PING",
                           "ECHO a",
                           "SELECT 0",
                           "CLIENT SETNAME a",
                           "CLIENT",
                           "CONFIG GET save",
                           "COMMAND",
                           "COMMAND DOCS",
                           "GET a",
                           "auth2 a"}) {
    EXPECT_EQ(says(line), kNoAuth) << line;
  }
  EXPECT_EQ(says("AUTH"), "-ERR wrong number of arguments for 'AUTH'\r\n");
  EXPECT_EQ(says("RESET"), "+RESET\r\n");
  EXPECT_EQ(word("HELLO 3"), "-NOAUTH");
  EXPECT_EQ(word("HELLO"), "-NOAUTH");
  EXPECT_EQ(word("HELLO 4"), "-NOPROTO");
  EXPECT_EQ(says("QUIT"), "+OK\r\n");
}

TEST_F(RespAccessTest, quit_ends_the_connection_before_auth_too) {
  Conversation conversation(resp);
  conversation.say("PING\r\n");
  EXPECT_FALSE(conversation.ended());
  conversation.say("QUIT\r\n");
  EXPECT_TRUE(conversation.ended());
}

TEST_F(RespAccessTest, a_secret_alone_is_enough) {
  EXPECT_EQ(auth(kBilling), "+OK\r\n");
  EXPECT_EQ(says("INCR orders"), ":1\r\n");
  EXPECT_EQ(says("PING"), "+PONG\r\n");
  EXPECT_EQ(word("INFO")[0], '$') << "clients ask for it by themselves, and it tells nothing of ids";
}

TEST_F(RespAccessTest, a_name_is_that_of_the_token_or_default) {
  EXPECT_EQ(auth("billing " + std::string(kBilling)), "+OK\r\n");
  EXPECT_EQ(auth("default " + std::string(kOps)), "+OK\r\n");
  EXPECT_EQ(says("INCR users"), ":1\r\n");
  EXPECT_EQ(auth("ops " + std::string(kBilling)), kWrongPass);
  EXPECT_EQ(auth("nobody " + std::string(kBilling)), kWrongPass);
  EXPECT_EQ(auth("billing billing"), kWrongPass);
  EXPECT_EQ(auth(std::string(kBilling) + " billing"), kWrongPass);
  EXPECT_EQ(Conversation(resp).say("*3\r\n$4\r\nAUTH\r\n$0\r\n\r\n$18\r\n" + std::string(kBilling) + "\r\n"),
            kWrongPass);
}

TEST_F(RespAccessTest, a_wrong_secret_gives_no_right_and_takes_none) {
  EXPECT_EQ(auth("wrong"), kWrongPass);
  EXPECT_EQ(Conversation(resp).say("*2\r\n$4\r\nAUTH\r\n$0\r\n\r\n"), kWrongPass);
  EXPECT_EQ(Conversation(resp).say("*2\r\n$4\r\nAUTH\r\n$19\r\n" + std::string(kBilling) + '\0' + "\r\n"), kWrongPass);
  EXPECT_EQ(says("INCR orders"), kNoAuth);
  EXPECT_EQ(auth(kBilling), "+OK\r\n");
  EXPECT_EQ(auth("wrong"), kWrongPass);
  EXPECT_EQ(says("INCR orders"), ":1\r\n");
  EXPECT_EQ(gate.take_wrong_secrets(), 4U);
}

TEST_F(RespAccessTest, hello_takes_the_right_too) {
  EXPECT_EQ(says("HELLO 3 AUTH default wrong"), kWrongPass);
  EXPECT_EQ(says("PING"), kNoAuth);
  EXPECT_EQ(says("HELLO 3 AUTH billing " + std::string(kBilling) + " SETNAME me").substr(0, 4), "%7\r\n");
  EXPECT_EQ(says("INCR orders"), ":1\r\n");
  EXPECT_EQ(says("HELLO 2 AUTH default wrong"), kWrongPass);
  EXPECT_EQ(says("CLIENT GETNAME"), "_\r\n") << "a HELLO that is refused changes nothing";
  EXPECT_EQ(says("HELLO 2").substr(0, 5), "*14\r\n") << "who has a right needs no AUTH";
  EXPECT_EQ(says("HELLO 2 AUTH " + std::string(kBilling)).substr(0, 11), "-ERR usage:");
}

TEST_F(RespAccessTest, reset_takes_the_right_away) {
  auth(kBilling);
  EXPECT_EQ(says("RESET"), "+RESET\r\n");
  EXPECT_EQ(says("INCR orders"), kNoAuth);
}

TEST_F(RespAccessTest, a_token_takes_ids_of_its_keys) {
  auth(kBilling);
  EXPECT_EQ(says("INCR orders"), ":1\r\n");
  for (const char* line :
       {"INCR users", "INCRBY users 1", "POLYFLAKE.NEXT users", "POLYFLAKE.NEXT users 2 AFTER 7", "INCR invoices"}) {
    EXPECT_EQ(word(line), "-NOPERM") << line;
  }
  EXPECT_EQ(says("INCR users").substr(0, 61), "-NOPERM User billing has no permissions to take ids of 'users");
  EXPECT_EQ(says("INCR nobody").substr(0, 23), "-POLYFLAKE unknown_key ");
}

TEST_F(RespAccessTest, times_and_volumes_are_shown_to_those_who_may_inspect) {
  auth(kOps);
  EXPECT_EQ(says("POLYFLAKE.INFO").substr(0, 74),
            "-NOPERM User ops has no permissions to run the 'POLYFLAKE.INFO' command; t");
  EXPECT_EQ(word("polyflake.decode 7 leaf"), "-NOPERM");
  auth(kInspect);
  EXPECT_EQ(says("POLYFLAKE.INFO").substr(0, 1), "*");
  EXPECT_EQ(says("POLYFLAKE.DECODE 7 leaf").substr(0, 1), "*");
  EXPECT_EQ(word("INCR orders"), "-NOPERM");
}

TEST_F(RespAccessTest, auth_in_a_pipeline_counts_for_what_follows) {
  const std::string text = "INCR orders\r\nAUTH " + std::string(kBilling) + "\r\nINCR orders\r\nINCR users\r\nAUTH " +
                           kOps +
                           "\r\nINCR users\r\nINCR orders\r\nAUTH wrong\r\nINCR orders\r\nRESET\r\nINCR orders\r\n";
  const std::string no_permission =
      "-NOPERM User billing has no permissions to take ids of 'users'; the server's file of tokens says who has\r\n";
  EXPECT_EQ(Conversation(resp).say(text), kNoAuth + ("+OK\r\n:1\r\n" + no_permission) + "+OK\r\n:1\r\n:2\r\n" +
                                              kWrongPass + ":3\r\n+RESET\r\n" + kNoAuth);
}

TEST_F(RespAccessTest, a_token_that_goes_takes_the_right_with_it) {
  auth(kBilling);
  access.replace({{"ops", Secret(kOps), {}, 0, false}});
  EXPECT_EQ(says("INCR orders"), kNoAuth);
  EXPECT_EQ(says("PING"), kNoAuth);
  EXPECT_EQ(word("HELLO 3"), "-NOAUTH");
  EXPECT_EQ(auth(kBilling), kWrongPass);
  EXPECT_EQ(auth(kOps), "+OK\r\n");
  EXPECT_EQ(says("INCR orders"), ":1\r\n");
}

TEST_F(RespAccessTest, requests_count_against_the_rate_of_their_token) {
  auth(kBilling);
  EXPECT_EQ(resp.read("INCR orders\r\n").rate, access.right_of(kBilling).rate());
  EXPECT_EQ(resp.read("POLYFLAKE.NEXT orders 7\r\n").rate, access.right_of(kBilling).rate());
  auth(kOps);
  EXPECT_EQ(resp.read("INCR orders\r\n").rate, nullptr);
}

TEST_F(RespAccessTest, no_reply_shows_a_secret) {
  for (const std::string line : {"AUTH wrong-hunter2", "AUTH hunter2 wrong", "HELLO 3 AUTH hunter2 hunter2",
                                 "HELLO 3 AUTH hunter2", "AUTH a b hunter2"}) {
    EXPECT_EQ(says(line).find("hunter2"), std::string::npos) << line;
  }
}

TEST(RespWithoutTokens, auth_says_that_it_is_not_needed) {
  ServedNumbers numbers;
  numbers.generator("orders", 1);
  Resp resp(numbers.service);
  EXPECT_EQ(Conversation(resp).say("AUTH a\r\nAUTH a b\r\nHELLO 3 AUTH a b\r\nINCR orders\r\n").substr(0, 5), "-ERR ");
  EXPECT_EQ(Conversation(resp).say("INCR orders\r\n"), ":2\r\n");
}

}  // namespace
}  // namespace polyflake::server::test
