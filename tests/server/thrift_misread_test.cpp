// Bytes of other protocols, broken messages, and the limits of a message: the client gets one
// exception and the connection ends, however many bytes arrive at a time.
#include "thrift/thrift.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "thrift_server.hpp"

namespace polyflake::server::thrift_test {
namespace {

// Expects one exception, and the end of the connection.
void expect_misread(const std::string& input, std::string_view part) {
  for (const std::size_t piece : {1U, 2U, 7U, 200'000U}) {
    ThriftServer server;
    const auto replies = replies_in(server.says(input, piece));
    EXPECT_TRUE(server.conversation().ended()) << part;
    ASSERT_EQ(replies.size(), 1U) << part;
    expect_exception(replies.front(), kProtocolError, part);
  }
}

std::string repeated(const std::string& bytes, std::size_t times) {
  std::string all;
  while (times-- > 0) all += bytes;
  return all;
}

TEST(ThriftMisread, what_begins_otherwise_ends_the_connection) {
  expect_misread("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "version word");
  expect_misread("*1\r\n$4\r\nPING\r\n", "version word");
  expect_misread(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), "version word");  // TLS
  expect_misread(text("get_id") + "\1" + i32(1) + kEnd, "version word");                            // not strict
  expect_misread(std::string("\x82\x21\x01\x06get_id", 10), "version word");                        // TCompactProtocol
  expect_misread("\xff\xff\xff\xff", "version word");
  expect_misread("\x7f\xff\xff\xff", "version word");
}

TEST(ThriftMisread, a_frame_is_as_long_as_its_message) {
  const std::string call = get_id();
  expect_misread(framed(call + kEnd), "goes on after its message");
  expect_misread(framed(call.substr(0, call.size() - 1)), "ends before its message");
  expect_misread(framed(call.substr(0, 4)), "ends before its message");
  expect_misread(framed(""), "version word");
  expect_misread(framed("\x80\x01"), "version word");
}

TEST(ThriftMisread, lengths_are_bounded) {
  for (const std::int64_t length : {std::int64_t{-1}, std::int64_t{INT32_MIN}}) {
    expect_misread(i32(0x80010001) + i32(length), "a negative length");
    expect_misread(call("get_id", field(11, 1, i32(length))), "a negative length");
    expect_misread(call("get_id", field(15, 3, big_endian(8, 1) + i32(length))), "a negative length");
    expect_misread(framed(call("get_id", field(13, 3, big_endian(0x0808, 2) + i32(length)))), "a negative length");
  }
  for (const std::int64_t length : {std::int64_t{INT32_MAX}, std::int64_t{kLongest}}) {
    expect_misread(i32(0x80010001) + i32(length), "more than 65536 bytes");
    expect_misread(call("get_id", field(11, 1, i32(length))), "more than 65536 bytes");
    expect_misread(call("get_id", field(14, 3, big_endian(10, 1) + i32(length))), "more than 65536 bytes");
    expect_misread(call("get_id", field(13, 3, big_endian(0x0a0a, 2) + i32(length))), "more than 65536 bytes");
    for (const unsigned type : {11U, 12U, 13U, 15U, 1U, 99U}) {
      expect_misread(call("get_id", field(15, 3, big_endian(type, 1) + i32(length))), "more than 1000 values");
    }
    expect_misread(call("get_id", field(13, 3, big_endian(0x0a0c, 2) + i32(length))), "more than 1000 values");
  }
}

TEST(ThriftMisread, types_that_thrift_does_not_have_are_refused) {
  for (const unsigned type : {1U, 5U, 7U, 9U, 16U, 255U}) {
    expect_misread(call("get_id", field(type, 3, "")), "a type that Thrift does not have");
    expect_misread(call("get_id", field(15, 3, big_endian(type, 1) + i32(1))), "a type that Thrift does not have");
    expect_misread(call("get_id", field(13, 3, big_endian(type, 1) + big_endian(8, 1) + i32(1) + i32(1))),
                   "a type that Thrift does not have");
  }
  expect_misread(call("get_id", field(13, 3, big_endian(0x0008, 2) + i32(1) + i32(1))),
                 "a type that Thrift does not have");
}

TEST(ThriftMisread, levels_are_at_most_16) {
  const auto nested = [](std::size_t structs) {
    return call("get_id", field(11, 1, text("test")) + repeated(field(12, 3, ""), structs) + repeated(kEnd, structs));
  };
  const auto lists = [](std::size_t levels) {
    return call("get_id",
                field(11, 1, text("test")) +
                    field(15, 3, repeated(big_endian(15, 1) + i32(1), levels - 1) + big_endian(2, 1) + i32(0)));
  };
  EXPECT_EQ(ThriftServer().values(nested(15)), kFirst);
  EXPECT_EQ(ThriftServer().values(lists(15)), kFirst);
  for (const std::string& deep : {nested(16), nested(21'000), lists(16), lists(9'000)}) {
    expect_misread(deep, "in more than 16 levels");
    expect_misread(framed(deep.substr(0, kLongest - 4)), "in more than 16 levels");
  }
}

TEST(ThriftMisread, values_are_at_most_1000) {
  const std::string agent = field(11, 1, text("test"));
  EXPECT_EQ(ThriftServer().values(call("get_id", agent + repeated(field(2, 3, "\1"), 1000))), kFirst);
  const std::string many = "more than 1000 values";
  expect_misread(call("get_id", agent + repeated(field(2, 3, "\1"), 1001)), many);
  const auto list = [&](std::size_t structs) {
    return call(
        "get_id",
        agent + field(15, 3, big_endian(12, 1) + i32(static_cast<std::int64_t>(structs)) + repeated(kEnd, structs)));
  };
  EXPECT_EQ(ThriftServer().values(list(999)), kFirst);
  expect_misread(list(1000), many);
  expect_misread(list(60'000), many);
  const std::string bools =
      call("get_id", agent + field(15, 3, big_endian(2, 1) + i32(60'000) + std::string(60'000, '\1')));
  EXPECT_EQ(ThriftServer().values(bools), kFirst);
}

TEST(ThriftMisread, messages_are_at_most_64_KiB_long) {
  const auto of = [](std::size_t size) {
    const std::string agent = field(11, 1, text("test"));
    const std::size_t rest = size - call("get_id", agent + field(11, 3, text(""))).size();
    return call("get_id", agent + field(11, 3, text(std::string(rest, 'x'))));
  };
  EXPECT_EQ(ThriftServer().values(of(kLongest)), kFirst);
  EXPECT_EQ(ThriftServer().values(framed(of(kLongest - 4))), kFirst);
  expect_misread(of(kLongest + 1), "more than 65536 bytes");
  expect_misread(framed(of(kLongest - 3)), "version word");
}

TEST(ThriftMisread, calls_before_a_misread_one_are_answered) {
  ThriftServer server;
  const auto replies = replies_in(server.says(get_id("a", 1) + get_id("b", 2) + "\r\n\r\n" + get_id("c", 3)));
  EXPECT_TRUE(server.conversation().ended());
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_EQ(replies[1].values, (std::vector<std::int64_t>{2}));
  expect_exception(replies[2], kProtocolError, "strict binary protocol");
}

}  // namespace
}  // namespace polyflake::server::thrift_test
