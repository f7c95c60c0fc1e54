// RESP without a socket: bytes in, replies out.
#include "resp/resp.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "served_numbers.hpp"

namespace polyflake::server::test {
namespace {

using std::string_literals::operator""s;

struct RespTest : testing::Test {
  RespTest() { begin(1); }

  // Begins again with a connection whose first id is this one.
  void begin(std::uint64_t first) {
    resp.reset();
    numbers = std::make_unique<ServedNumbers>();
    numbers->generator("orders", first);
    numbers->counter("invoices", first);
    resp = std::make_unique<Resp>(numbers->service);
  }
  std::string says(std::string_view input, std::size_t piece = 1 << 20) {
    return Conversation(*resp).say(input, piece);
  }

  std::unique_ptr<ServedNumbers> numbers;
  std::unique_ptr<Resp> resp;
};

TEST_F(RespTest, ids_come_as_integers_or_as_text) {
  EXPECT_EQ(says("*2\r\n$4\r\nINCR\r\n$6\r\norders\r\n"), ":1\r\n");
  EXPECT_EQ(says("*2\r\n$4\r\nincr\r\n$8\r\ninvoices\r\n"), ":1\r\n");
  EXPECT_EQ(says("INCRBY orders 1\r\n"), ":2\r\n");
  EXPECT_EQ(says("POLYFLAKE.NEXT orders\r\n"), "$1\r\n3\r\n");
  EXPECT_EQ(says("polyflake.next orders 2\r\n"), "*2\r\n$1\r\n4\r\n$1\r\n5\r\n");
  EXPECT_EQ(says("POLYFLAKE.NEXT orders 1\r\n"), "*1\r\n$1\r\n6\r\n");
}

TEST_F(RespTest, the_largest_id_is_exact_in_both_forms) {
  begin(INT64_MAX);
  EXPECT_EQ(says("INCR orders\r\n"), ":9223372036854775807\r\n");
  begin(INT64_MAX);
  EXPECT_EQ(says("POLYFLAKE.NEXT orders\r\n"), "$19\r\n9223372036854775807\r\n");
  EXPECT_GE(resp->bytes_per_id(), "$19\r\n9223372036854775807\r\n"s.size());
}

TEST_F(RespTest, pieces_of_any_size_mean_the_same) {
  const std::string input =
      "*2\r\n$4\r\nINCR\r\n$6\r\norders\r\n\r\nPING\r\n*0\r\n*-1\r\n*3\r\n$14\r\nPOLYFLAKE.NEXT\r\n$6\r\norders\r\n$1\r\n3\r\n"
      "*2\r\n$4\r\nECHO\r\n$4\r\na\r\nb\r\nINCR nobody\r\nQUIT\r\nPING\r\n";
  const std::string whole = says(input);
  EXPECT_EQ(whole.substr(0, 11), ":1\r\n+PONG\r\n");
  EXPECT_EQ(whole.substr(whole.size() - 5), "+OK\r\n");  // nothing after QUIT
  for (const std::size_t piece : {1U, 2U, 7U}) {
    begin(1);
    EXPECT_EQ(says(input, piece), whole) << piece;
  }
}

TEST_F(RespTest, what_gives_no_ids_says_why) {
  const auto code = [&](const std::string& line) { return says(line + "\r\n").substr(0, 23); };
  EXPECT_EQ(code("INCR nobody"), "-POLYFLAKE unknown_key ");
  EXPECT_EQ(code("INCRBY orders 2"), "-POLYFLAKE bad_request ");
  EXPECT_EQ(code("INCRBY orders -1"), "-POLYFLAKE bad_request ");
  EXPECT_EQ(code("INCRBY orders 1x"), "-POLYFLAKE bad_request ");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders 0"), "-POLYFLAKE option_inval");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders 10001"), "-POLYFLAKE batch_too_la");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders 3abc"), "-POLYFLAKE text_invalid");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders 2 AFTER"), "-POLYFLAKE bad_request ");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders 2 3"), "-POLYFLAKE bad_request ");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders AFTER x"), "-POLYFLAKE text_invalid");
  EXPECT_EQ(code("POLYFLAKE.NEXT orders AFTER 9223372036854775808"), "-POLYFLAKE id_out_of_ra");
  EXPECT_EQ(code("INCR"), "-ERR wrong number of ar");
  EXPECT_EQ(code("GET orders"), "-ERR unknown command 'G");
  EXPECT_EQ(says("INCR orders\r\n"), ":1\r\n");
}

TEST_F(RespTest, no_error_is_one_to_which_clients_react) {
  for (const char* line : {"INCR nobody", "GET x", "SELECT 1", "AUTH a", "HELLO 4", "CLIENT KILL", "CONFIG SET a b"}) {
    const std::string reply = says(line + "\r\n"s);
    for (const char* word : {"-MOVED", "-BUSY", "-TRYAGAIN", "-LOADING", "-READONLY"}) {
      EXPECT_NE(reply.substr(0, std::string(word).size()), word) << line;
    }
    EXPECT_EQ(reply.find("\r\n"), reply.size() - 2) << line;
  }
}

TEST_F(RespTest, input_that_is_no_command_ends_the_connection) {
  const std::string long_word = "*1\r\n$65537\r\n";
  for (const std::string& input :
       {"*17\r\n"s, "*x\r\n"s, "*1\r\n:4\r\n"s, "*1\r\n$-1\r\n"s, "*1\r\n$x\r\n"s, "*1\r\n$4\r\nPINGxx"s,
        "*1\r\n$4\nPING\r\n"s, "*999999999\r\n"s, long_word, std::string(65537, 'a'), "*1\r\n$2147483647\r\n"s,
        "POST / HTTP/1.1\r\n"s, "host: ids\r\n"s, "a b c d e f g h i j k l m n o p q\r\n"s}) {
    const std::string reply = says(input + "PING\r\n");
    EXPECT_EQ(reply.substr(0, 20), "-ERR Protocol error:") << input.substr(0, 20);
    EXPECT_EQ(reply.find("PONG"), std::string::npos);
    begin(1);
  }
}

TEST_F(RespTest, texts_of_clients_cannot_end_a_line) {
  const std::string reply = says("*2\r\n$4\r\nINCR\r\n$8\r\na\r\n+OK\r\n\r\n");
  EXPECT_EQ(reply.find("\r\n"), reply.size() - 2);
}

TEST_F(RespTest, hello_answers_in_the_version_that_it_agrees_on) {
  EXPECT_EQ(says("HELLO\r\n").substr(0, 5), "*14\r\n");
  EXPECT_EQ(says("HELLO 3 SETNAME me\r\n").substr(0, 4), "%7\r\n");
  EXPECT_EQ(says("POLYFLAKE.INFO\r\n").substr(0, 8), "*2\r\n%7\r\n");
  EXPECT_EQ(says("HELLO 4\r\n").substr(0, 8), "-NOPROTO");
  EXPECT_EQ(says("HELLO 2 AUTH a b\r\n").substr(0, 5), "-ERR ");
  EXPECT_EQ(says("CLIENT GETNAME\r\n"), "_\r\n");  // still 3
  EXPECT_EQ(says("RESET\r\nCLIENT GETNAME\r\n"), "+RESET\r\n$-1\r\n");
}

TEST_F(RespTest, what_clients_send_by_themselves_is_answered) {
  EXPECT_EQ(says("PING\r\n"), "+PONG\r\n");
  EXPECT_EQ(says("PING hi\r\n"), "$2\r\nhi\r\n");
  EXPECT_EQ(says("SELECT 0\r\n"), "+OK\r\n");
  EXPECT_EQ(says("CLIENT SETINFO LIB-NAME x\r\n"), "+OK\r\n");
  EXPECT_EQ(says("CLIENT ID\r\n"), ":1\r\n");
  EXPECT_EQ(says("CONFIG GET save\r\n"), "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
  EXPECT_EQ(says("CONFIG GET maxmemory\r\n"), "*0\r\n");
  EXPECT_EQ(says("COMMAND DOCS\r\n"), "*0\r\n");
  EXPECT_EQ(says("COMMAND COUNT\r\n"), ":0\r\n");
  EXPECT_NE(says("INFO\r\n").find("loading:0\r\n"), std::string::npos);
}

TEST_F(RespTest, an_id_is_decoded_by_the_layout_that_is_served_or_another) {
  const Layout layout("polyflake");
  const std::string id = std::to_string(layout.pack(1000, 7, 9));
  EXPECT_EQ(says("POLYFLAKE.DECODE " + id + "\r\n"),
            "*10\r\n$7\r\ntime_ms\r\n:" + std::to_string(layout.time_of(1000)) +
                "\r\n$4\r\ntick\r\n:1000\r\n$4\r\nnode\r\n:7\r\n$8\r\nsequence\r\n:9\r\n$6\r\nworker\r\n:7\r\n");
  EXPECT_EQ(says("POLYFLAKE.DECODE " + id + " twitter\r\n").substr(0, 5), "*12\r\n");
  EXPECT_EQ(says("POLYFLAKE.DECODE " + id + " nothing\r\n").substr(0, 25), "-POLYFLAKE unknown_preset");
  EXPECT_EQ(says("POLYFLAKE.DECODE x\r\n").substr(0, 23), "-POLYFLAKE text_invalid");
}

}  // namespace
}  // namespace polyflake::server::test
