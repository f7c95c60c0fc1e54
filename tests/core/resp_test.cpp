// RESP: replies in any pieces, and bytes that are refused; addresses of a Redis.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "open/redis_server.hpp"
#include "open/resp.hpp"

namespace polyflake::test {
namespace {

using lease::Row;

// The values of a reply that comes in pieces of this many bytes; nothing if it is not complete.
std::optional<Row> read(const std::string& bytes, std::size_t piece) {
  resp::Reply reply;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view part = std::string_view(bytes).substr(at, piece);
    if (reply.take(part)) return at + part.size() == bytes.size() ? std::optional(reply.values()) : std::nullopt;
  }
  return std::nullopt;
}

TEST(Resp, reads_replies_in_any_pieces) {
  const std::pair<std::string, Row> replies[] = {
      {"+PONG\r\n", {"PONG"}},
      {":-17\r\n", {"-17"}},
      {"$0\r\n\r\n", {""}},
      {"$-1\r\n", {std::nullopt}},
      {"*-1\r\n", {std::nullopt}},
      {"*0\r\n", {}},
      {"*3\r\n$2\r\nok\r\n:18446744073709551615\r\n$-1\r\n", {"ok", "18446744073709551615", std::nullopt}},
  };
  for (const auto& [bytes, values] : replies) {
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
      EXPECT_EQ(read(bytes, piece), std::optional(values)) << bytes << " by " << piece;
    }
  }
  const std::string binary("$4\r\n\r\n\0$\r\n", 10);
  for (std::size_t piece = 1; piece <= binary.size(); ++piece) {
    EXPECT_EQ(read(binary, piece), std::optional(Row{std::string("\r\n\0$", 4)}));
  }
}

TEST(Resp, waits_for_the_rest_of_a_reply) {
  const std::string whole = "*3\r\n$2\r\nok\r\n:1\r\n$3\r\nabc\r\n";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    resp::Reply reply;
    EXPECT_FALSE(reply.take(std::string_view(whole).substr(0, size))) << size;
    EXPECT_TRUE(reply.take(std::string_view(whole).substr(size)));
  }
}

TEST(Resp, refuses_what_is_no_reply) {
  for (const std::string bytes : {"HTTP/1.1 400 Bad Request\r\n",
                                  "\r\n",
                                  "\n\r\n",
                                  "$\r\n",
                                  "$+1\r\na\r\n",
                                  "$01\r\na\r\n",
                                  "$-2\r\n",
                                  "*-2\r\n",
                                  "$1\r\nab\r\n",
                                  "$2\r\na\r\n\r\n",
                                  ":\r\n",
                                  ":-\r\n",
                                  ":1a\r\n",
                                  "*1\r\n*1\r\n+a\r\n",
                                  "*2\r\n+a\r\n*0\r\n",
                                  "+a\r\n+b\r\n",
                                  "+a\r\n\r",
                                  "*0\r\n:1\r\n",
                                  "$99999999999\r\n",
                                  "*99999999999999999999\r\n",
                                  "%1\r\n",
                                  "_\r\n"}) {
    resp::Reply reply;
    EXPECT_THROW(reply.take(bytes), lease::CommandFailure) << bytes;
  }
  resp::Reply endless;
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) endless.take(std::string(1000, '+'));
      },
      lease::CommandFailure);
}

TEST(Resp, raises_the_errors_of_redis_with_their_code) {
  for (const std::string bytes : {"-NOAUTH Authentication required.\r\n", "*2\r\n:1\r\n-NOAUTH\tno\r\n"}) {
    resp::Reply reply;
    try {
      reply.take(bytes);
      FAIL();
    } catch (const lease::CommandFailure& failure) {
      EXPECT_EQ(failure.code().substr(0, 6), "NOAUTH");
      for (const char c : std::string(failure.what())) EXPECT_TRUE(' ' <= c && c <= '~');
    }
  }
}

TEST(Resp, writes_commands_with_lengths) {
  EXPECT_EQ(resp::command({"GET", "", "a\r\nb"}), "*3\r\n$3\r\nGET\r\n$0\r\n\r\n$4\r\na\r\nb\r\n");
}

TEST(RedisAddresses, have_their_parts) {
  const struct {
    const char *address, *host, *port;
    std::vector<std::vector<std::string>> greetings;
  } addresses[] = {
      {"redis://", "localhost", "6379", {}},
      {"redis://h", "h", "6379", {}},
      {"redis://h:1/0", "h", "1", {}},
      {"redis://[::1]:65535/3", "::1", "65535", {{"SELECT", "3"}}},
      {"redis://[fe80::1]", "fe80::1", "6379", {}},
      {"redis://:s%40cret@h/", "h", "6379", {{"AUTH", "s@cret"}}},
      {"redis://app:a%2fb%25@h:7/12", "h", "7", {{"AUTH", "app", "a/b%"}, {"SELECT", "12"}}},
  };
  for (const auto& one : addresses) {
    const RedisServer server = redis_server_of(one.address);
    EXPECT_EQ(server.place.host, one.host) << one.address;
    EXPECT_EQ(server.place.port, one.port) << one.address;
    EXPECT_EQ(server.greetings, one.greetings) << one.address;
    EXPECT_EQ(server.shown.find("cret"), std::string::npos);
  }
}

TEST(RedisAddresses, that_are_none_are_refused_without_their_passwords) {
  for (const std::string address :
       {"", "h", "rediss://h", "redis+sentinel://h/name", "postgresql://h", "redis://h?ssl=1", "redis://h:0",
        "redis://h:65536", "redis://h:a", "redis://h:", "redis://[::1", "redis://[::1]x", "redis://[::1]x:1",
        "redis://hunter2@h", "redis://app:@h", "redis://app:hunter2%@h", "redis://app:hunter2%4@h",
        "redis://app:hunter2%g0@h", "redis://app:hunter2@h/name"}) {
    EXPECT_ERROR(redis_server_of(address), worker_source_invalid);
    EXPECT_EQ(error_of([&] { redis_server_of(address); }).find("hunter2"), std::string::npos);
  }
  EXPECT_ERROR(redis_server_of("redis://h?namespace=orders"), option_invalid);
}

}  // namespace
}  // namespace polyflake::test
