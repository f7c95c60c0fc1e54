// HTTP of the id server: requests mean the same in pieces of any size, and each has one reply that a
// client can read. Who sends no secret of a listener with tokens gets no id.
#include "http/http.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "../server/served_numbers.hpp"
#include "property.hpp"
#include "server_tokens.hpp"

namespace polyflake::fuzz {
namespace {

namespace http = boost::beast::http;
using server::test::Conversation;
using server::test::Exchange;

constexpr std::size_t kMostHeld = (8 << 10) + (64 << 10) + 2;  // head, body, an empty line

// The course of a conversation.
struct Course {
  std::string replies;
  std::size_t requests;
  bool ended;
};

bool is_head(std::string_view request) {
  if (request.substr(0, 2) == "\r\n") request.remove_prefix(2);
  return request.substr(0, 5) == "HEAD ";
}

void hold_for_body(const http::response<http::string_body>& reply) {
  const std::string_view type(reply[http::field::content_type].data(), reply[http::field::content_type].size());
  if (reply.result() != http::status::ok) {
    hold(type == "application/json", "a refusal is JSON");
    hold(reply.body().empty() || reply.result() == http::status::service_unavailable ||
             reply.body().compare(0, 9, R"({"code":")") == 0,
         "a refusal has a code");
  }
  if (type == "application/octet-stream") return hold(reply.body().size() % 8 == 0, "ids of 8 bytes");
  hold(
      std::all_of(reply.body().begin(), reply.body().end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; }),
      "a text is printable ASCII");
}

void hold_for_reply(const Exchange& exchange) {
  http::response_parser<http::string_body> parser;
  boost::system::error_code failure;
  parser.eager(true);
  parser.skip(is_head(exchange.request));
  const std::size_t length = parser.put(boost::asio::buffer(exchange.reply), failure);
  hold(!failure && parser.is_done() && length == exchange.reply.size(), "a reply is one of HTTP");
  const auto& reply = parser.get();
  hold(reply[http::field::cache_control] == "no-store", "no reply is kept");
  hold(reply.count(http::field::content_length) == 1, "a reply says its length");
  hold((reply.result() == http::status::method_not_allowed) == (reply.count(http::field::allow) == 1),
       "405 says what is allowed");
  hold_for_body(reply);
}

void hold_for_stranger(const Exchange& exchange) {
  const std::string_view reply = exchange.reply;
  if (reply.substr(0, 13) != "HTTP/1.1 200 ") return;
  const std::string_view body = reply.substr(reply.find("\r\n\r\n") + 4);
  hold(body.empty() || body.substr(0, 8) == "{\"live\":" || body.substr(0, 9) == "{\"ready\":",
       "without a secret no ids and no parts of them are told");
}

Course hold_conversation(std::string_view text, std::size_t piece) {
  server::Limits limits;
  limits.max_batch = 100;
  server::test::ServedNumbers numbers(limits);
  numbers.generator("orders", 912101662074630426);
  numbers.counter("tickets", 7);
  const TokensOfInput tokens(text);
  server::Http protocol(numbers.service, true, tokens.gate());
  Conversation conversation(protocol);
  Course course{conversation.say(text, piece), conversation.exchanges().size(), conversation.ended()};
  hold(conversation.rest().size() < kMostHeld, "no more is kept than one request may have");
  for (const Exchange& each : conversation.exchanges()) {
    hold_for_reply(each);
    if (tokens.must_learn_nothing()) hold_for_stranger(each);
  }
  return course;
}

void run(std::string_view text) {
  const Course whole = hold_conversation(text, text.size() + 1);
  for (const std::size_t piece : {1U, 2U, 7U}) {
    const Course pieces = hold_conversation(text, piece);
    hold(pieces.replies == whole.replies && pieces.requests == whole.requests && pieces.ended == whole.ended,
         "pieces change nothing");
  }
}

}  // namespace
}  // namespace polyflake::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  polyflake::fuzz::run(polyflake::fuzz::text_of(data, size));
  return 0;
}
