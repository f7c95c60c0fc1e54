// Thrift without a socket: calls that are answered, and calls that are refused.
#include "thrift/thrift.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "thrift_server.hpp"

namespace polyflake::server::thrift_test {
namespace {

// --- calls ---------------------------------------------------------------------------------------

TEST(Thrift, a_reply_has_the_bytes_of_the_specification) {
  const std::string reply = std::string("\x80\x01\x00\x02\x00\x00\x00\x06get_id\x00\x00\x00\x2a", 18) +
                            std::string("\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00", 12);
  EXPECT_EQ(ThriftServer().says(get_id("test", 42)), reply);
  EXPECT_EQ(ThriftServer().says(framed(get_id("test", 42))), std::string("\0\0\0\x1e", 4) + reply);
}

TEST(Thrift, framed_calls_and_others_share_a_connection_in_their_order) {
  ThriftServer server;
  const auto replies = replies_in(server.says(get_id("a", 1) + framed(get_ids(3, "b", 2)) +
                                              call("get_timestamp", "", 3) + framed(get_id("c", -4))));
  ASSERT_EQ(replies.size(), 4U);
  EXPECT_EQ(replies[0].values, kFirst);
  EXPECT_EQ(replies[1].values, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_TRUE(replies[1].is_list);
  EXPECT_EQ(replies[2].values, (std::vector<std::int64_t>{kNow}));
  EXPECT_EQ(replies[3].values, (std::vector<std::int64_t>{5}));
  const bool framed[] = {false, true, false, true};
  const std::int32_t seqids[] = {1, 2, 3, -4};
  const char* const methods[] = {"get_id", "get_ids", "get_timestamp", "get_id"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(replies[i].is_framed, framed[i]);
    EXPECT_EQ(replies[i].seqid, seqids[i]);
    EXPECT_EQ(replies[i].method, methods[i]);
  }
}

TEST(Thrift, pieces_of_any_size_mean_the_same) {
  const std::string input = get_id() + framed(get_ids(300)) + call("get_worker_id") + get_id("_") + call("none") +
                            message(4, "get_id", 7, "") + framed(call("get_datacenter_id")) + get_ids(0) + "GET / HTTP";
  ThriftServer server;
  const std::string replies = server.says(input);
  EXPECT_EQ(server.conversation().exchanges().size(), 9U);
  EXPECT_TRUE(server.conversation().ended());
  for (const std::size_t piece : {1U, 2U, 7U}) EXPECT_EQ(ThriftServer().says(input, piece), replies);
}

TEST(Thrift, a_request_is_read_again_with_the_same_result) {
  ThriftServer server;
  for (const std::string& input : {get_id(), framed(get_ids(9)), call("none"), get_id("_")}) {
    const Request first = server.thrift().read(input);
    const Request again = server.thrift().read(input + get_id());
    EXPECT_EQ(first.length, input.size());
    EXPECT_EQ(again.length, input.size());
    EXPECT_EQ(first.ids, again.ids);
    EXPECT_EQ(first.form, again.form);
    EXPECT_EQ(first.queue, again.queue);
  }
}

TEST(Thrift, a_request_that_is_not_whole_waits) {
  ThriftServer server;
  const std::string fields = field(11, 1, text("test")) +
                             field(12, 9, field(15, 1, big_endian(11, 1) + i32(2) + text("x") + text("y")) + kEnd);
  for (const std::string& whole : {get_ids(3), framed(get_ids(3)), call("get_id", fields)}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_EQ(server.thrift().read(std::string_view(whole).substr(0, size)).length, 0U) << size;
    }
    EXPECT_EQ(server.thrift().read(whole).length, whole.size());
  }
}

TEST(Thrift, worker_and_datacenter_are_fields_of_the_node_id) {
  EXPECT_EQ(ThriftServer().values(call("get_worker_id")), (std::vector<std::int64_t>{7}));
  EXPECT_EQ(ThriftServer().values(framed(call("get_datacenter_id"))), (std::vector<std::int64_t>{5}));
  ThriftServer zero("twitter", 0);
  EXPECT_EQ(zero.values(call("get_datacenter_id")), (std::vector<std::int64_t>{0}));
}

TEST(Thrift, a_field_that_the_layout_does_not_have_is_refused) {
  ThriftServer server("polyflake", 700);
  EXPECT_EQ(server.values(call("get_worker_id")), (std::vector<std::int64_t>{700}));
  expect_exception(server.reply(call("get_datacenter_id")), kInternalError, "bad_request: ");
}

TEST(Thrift, a_generator_without_a_node_id_has_no_worker_id) {
  ThriftServer server("twitter", -1);
  expect_exception(server.reply(call("get_worker_id")), kInternalError, "lease_lost: ");
}

TEST(Thrift, arguments_of_a_newer_client_are_skipped) {
  std::string fields = field(11, 1, text("test"));
  fields += field(2, 3, "\1") + field(3, 4, "x") + field(6, 5, "xy") + field(8, 6, i32(1)) +
            field(10, 7, std::string(8, 'x'));
  fields += field(4, 8, std::string(8, 'x')) + field(12, 9, field(2, 1, "\1") + field(11, -2, text("x")) + kEnd);
  fields += field(13, 10, big_endian(11, 1) + big_endian(8, 1) + i32(1) + text("key") + i32(1));
  fields += field(13, 11, big_endian(0, 1) + big_endian(0, 1) + i32(0));
  fields += field(14, 12, big_endian(3, 1) + i32(4) + "abcd") + field(15, 13, big_endian(12, 1) + i32(2) + kEnd + kEnd);
  EXPECT_EQ(ThriftServer().values(call("get_id", fields)), kFirst);
  EXPECT_EQ(ThriftServer().values(framed(call("get_worker_id", fields))), (std::vector<std::int64_t>{7}));
}

TEST(Thrift, an_oneway_call_gets_no_reply_and_no_id) {
  ThriftServer server;
  const auto replies = replies_in(server.says(message(4, "get_id", 1, field(11, 1, text("test"))) +
                                              framed(message(4, "none", 2, "")) + get_id("test", 3)));
  ASSERT_EQ(replies.size(), 1U);
  EXPECT_EQ(replies[0].seqid, 3);
  EXPECT_EQ(replies[0].values, kFirst);
}

// --- calls that are refused ----------------------------------------------------------------------

TEST(Thrift, a_batch_of_1_to_max_batch_ids_is_given_whole) {
  ThriftServer server;
  for (const std::int64_t n : {1, 2, 10'000}) {
    const Reply reply = server.reply(framed(get_ids(n)));
    EXPECT_TRUE(reply.is_list);
    ASSERT_EQ(reply.values.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(reply.values.back() - reply.values.front(), n - 1);
  }
}

TEST(Thrift, any_other_batch_is_refused) {
  ThriftServer server;
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{10'001}, std::int64_t{INT32_MAX}, std::int64_t{INT32_MIN}}) {
    expect_exception(
        server.reply(get_ids(n)), kInternalError,
        (n > 0 ? "batch_too_large: n is " : "option_invalid: n is ") + std::to_string(n) + "; ask for 1 to 10000");
  }
  expect_exception(server.reply(call("get_ids", field(11, 1, text("test")))), kInternalError, "option_invalid: n is 0");
}

TEST(Thrift, user_agents_are_those_of_twitter) {
  ThriftServer server;
  for (const char* const good : {"a", "Z", "client-2", "snowflake-SERVER-01", "a-"}) {
    EXPECT_EQ(ThriftServer().values(get_id(good)), kFirst) << good;
  }
  const std::string_view bad[] = {"", "-a", "1a", "a_b", "a b", "a.b", "test\n", {"a\0", 2}, "\xc3\xa4", " a"};
  for (const std::string_view name : bad) {
    expect_exception(server.reply(get_id(name)), kInternalError, "bad_request: user agent ");
    expect_exception(server.reply(framed(get_ids(1, name))), kInternalError, "bad_request: user agent ");
  }
  expect_exception(server.reply(call("get_id")), kInternalError, "bad_request: no user agent");
}

TEST(Thrift, a_message_shows_no_bytes_of_a_client_that_are_no_word) {
  ThriftServer server;
  EXPECT_EQ(server.reply(get_id("redis://u:secret@h")).text.find("secret"), std::string::npos);
  EXPECT_EQ(server.reply(call("se cret\n")).text.find("cret"), std::string::npos);
}

TEST(Thrift, an_argument_of_another_type_is_an_error_of_the_protocol) {
  ThriftServer server;
  const std::string both = field(8, 1, i32(1)) + field(11, 2, text("1"));
  expect_exception(server.reply(call("get_id", both)), kProtocolError, "argument 1 ");
  expect_exception(server.reply(call("get_id", field(8, 1, i32(1)))), kProtocolError, "argument 1 ");
  expect_exception(server.reply(call("get_ids", field(11, 1, text("a")) + field(10, 2, std::string(8, '\1')))),
                   kProtocolError, "argument 2 ");
  EXPECT_EQ(ThriftServer().values(call("get_id", field(11, 1, text("a")) + field(2, 2, "\1"))), kFirst);
}

TEST(Thrift, an_unknown_method_is_refused_by_its_name) {
  ThriftServer server;
  for (const char* const name : {"", "get_i", "get_idx", "Snowflake:get_id", "GET_ID"}) {
    const Reply reply = server.reply(framed(call(name, field(11, 1, text("x")), 9)));
    expect_exception(reply, kUnknownMethod, "no method ");
    EXPECT_EQ(reply.method, name);
    EXPECT_EQ(reply.seqid, 9);
    EXPECT_TRUE(reply.is_framed);
  }
}

TEST(Thrift, a_message_that_is_no_call_is_refused) {
  ThriftServer server;
  for (const std::uint32_t type : {0U, 2U, 3U, 5U, 0xffU, 0x101U}) {
    expect_exception(server.reply(message(type, "get_id", 1, "")), kInvalidMessageType, "message type ");
  }
}

TEST(Thrift, a_refusal_has_its_code_in_the_message) {
  ThriftServer server;
  for (const bool in_frame : {false, true}) {
    const Request request = server.thrift().read(in_frame ? framed(get_ids(2, "test", 8)) : get_ids(2, "test", 8));
    std::string out;
    server.thrift().refuse(request, {Refusal::Kind::unavailable, "clock_behind", "wait"}, out);
    const Reply reply = Replies(out).next();
    expect_exception(reply, kInternalError, "clock_behind: wait");
    EXPECT_EQ(reply.method, "get_ids");
    EXPECT_EQ(reply.seqid, 8);
    EXPECT_EQ(reply.is_framed, in_frame);
  }
}

TEST(Thrift, a_connection_too_many_is_told_so_in_a_frame) {
  ThriftServer server;
  std::string out;
  server.thrift().refuse_connection(out);
  expect_exception(Replies(out).next(), kInternalError, "busy: ");
}

TEST(Thrift, no_id_takes_more_bytes_than_the_protocol_says) {
  ThriftServer server;
  EXPECT_EQ(server.says(framed(get_ids(1))).size(), server.thrift().bytes_per_id());
  EXPECT_LT(server.says(framed(get_id())).size(), server.thrift().bytes_per_id());
}

}  // namespace
}  // namespace polyflake::server::thrift_test
