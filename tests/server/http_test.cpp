// HTTP: what bytes ask for, and the bytes of the replies. No sockets.
#include "http/http.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "served_numbers.hpp"

namespace polyflake::server::test {
namespace {

constexpr std::uint64_t kFirst = 912101662074630426;  // of `orders`, in the layout `polyflake`
constexpr std::uint64_t kTicket = 7;                  // of `tickets`

constexpr const char* kJsonHead =
    "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Type: application/json\r\nContent-Length: ";

Limits small_batches() {
  Limits limits;
  limits.max_batch = 100;
  return limits;
}

// A server with the generator `orders` and the counter `tickets`, and a connection to it.
class HttpTest : public testing::Test {
 protected:
  HttpTest() : numbers_(small_batches()) {
    numbers_.generator("orders", kFirst, "polyflake", &orders_);
    numbers_.counter("tickets", kTicket, &tickets_);
  }

  std::string say(const std::string& text) { return Conversation(http_).say(text); }
  // Sends a request without a body.
  std::string ask(const std::string& line, const std::string& fields = "") {
    return say(line + " HTTP/1.1\r\nHost: ids\r\n" + fields + "\r\n");
  }

  static std::string status(const std::string& reply) { return reply.size() < 12 ? "none" : reply.substr(9, 3); }
  static std::string body(const std::string& reply) { return reply.substr(reply.find("\r\n\r\n") + 4); }
  static bool has(const std::string& reply, const std::string& line) {
    const std::string head = reply.substr(0, reply.find("\r\n\r\n") + 2);
    return head.find("\r\n" + line + "\r\n") != std::string::npos;
  }
  // Returns the status and the code of a refusal.
  static std::string refusal(const std::string& reply) {
    if (reply.empty()) return "none";
    const std::string begin = R"({"code":")";
    const std::string text = body(reply);
    if (text.compare(0, begin.size(), begin) != 0) return status(reply);
    return status(reply) + ' ' + text.substr(begin.size(), text.find('"', begin.size()) - begin.size());
  }
  // Says a text and ends: the connection must be closed after the refusal.
  std::string last_refusal(const std::string& text) {
    Conversation conversation(http_);
    const std::string reply = conversation.say(text);
    return refusal(reply) + (conversation.ended() && has(reply, "Connection: close") ? ", closed" : ", open");
  }

  Source::State orders_{true, "open", "", 7, 1795308132642};
  Source::State tickets_{true, "open", "", -1, 0};
  ServedNumbers numbers_;
  Http http_{numbers_.service, true};
};

// --- ids -----------------------------------------------------------------------------------------

TEST_F(HttpTest, an_id_is_text_in_json) {
  EXPECT_EQ(ask("POST /v1/ids/orders"), kJsonHead + std::string("30\r\n\r\n{\"ids\":[\"912101662074630426\"]}"));
}

TEST_F(HttpTest, a_batch_has_as_many_ids_as_were_asked_for) {
  EXPECT_EQ(body(ask("POST /v1/ids/orders?n=3")),
            R"({"ids":["912101662074630426","912101662074630427","912101662074630428"]})");
}

TEST_F(HttpTest, ids_come_one_a_line_or_as_eight_bytes) {
  const std::string lines = ask("POST /v1/ids/tickets?n=4", "Accept: text/plain\r\n");
  EXPECT_TRUE(has(lines, "Content-Type: text/plain"));
  EXPECT_EQ(body(lines), "7\n8\n9\n10\n");
  const std::string bytes = ask("POST /v1/ids/tickets?n=2", "Accept: application/octet-stream\r\n");
  EXPECT_TRUE(has(bytes, "Content-Type: application/octet-stream"));
  EXPECT_EQ(body(bytes), std::string("\0\0\0\0\0\0\0\x0b\0\0\0\0\0\0\0\x0c", 16));
}

TEST_F(HttpTest, lengths_count_the_digits_of_each_id) {
  const std::string json = ask("POST /v1/ids/tickets?n=5");
  EXPECT_EQ(body(json), R"({"ids":["7","8","9","10","11"]})");
  EXPECT_TRUE(has(json, "Content-Length: " + std::to_string(body(json).size())));
  const Request request = http_.read("POST /v1/ids/tickets?n=4 HTTP/1.1\r\nHost: ids\r\nAccept: text/plain\r\n\r\n");
  const std::uint64_t ids[] = {0, 9999999999999999999U, 10000000000000000000U, ~std::uint64_t{0}};
  std::string reply;
  http_.give(request, ids, reply);
  EXPECT_EQ(body(reply), "0\n9999999999999999999\n10000000000000000000\n18446744073709551615\n");
  EXPECT_TRUE(has(reply, "Content-Length: " + std::to_string(body(reply).size())));
}

TEST_F(HttpTest, no_id_takes_more_bytes_than_promised) {
  const std::vector<std::uint64_t> ids(100, ~std::uint64_t{0});
  std::string one, hundred;
  http_.give(http_.read("POST /v1/ids/tickets HTTP/1.1\r\nHost: ids\r\n\r\n"), ids.data(), one);
  http_.give(http_.read("POST /v1/ids/tickets?n=100 HTTP/1.1\r\nHost: ids\r\n\r\n"), ids.data(), hundred);
  EXPECT_EQ(body(hundred).size() - body(one).size(), 99 * http_.bytes_per_id());
}

TEST_F(HttpTest, accept_is_json_unless_another_form_is_wanted_more) {
  const std::pair<const char*, const char*> cases[] = {
      {"*/*", "application/json"},
      {"text/html, application/xhtml+xml, */*;q=0.8", "application/json"},
      {"application/json, text/plain, */*", "application/json"},
      {"text/plain, */*", "text/plain"},
      {"*/*, text/plain", "text/plain"},
      {"TEXT/Plain", "text/plain"},
      {"text/*", "text/plain"},
      {"text/plain;q=0.5, application/octet-stream;q=0.75", "application/octet-stream"},
      {"text/plain;charset=utf-8 ; Q=0.500, */*", "application/json"},
      {"text/plain;q=0", "application/json"},
      {"text/plain;q=x, application/json;q=0.001", "application/json"},
      {"image/png", "application/json"},
      {"", "application/json"},
      {",;,=;q=;", "application/json"},
  };
  for (const auto& [accept, type] : cases) {
    const std::string reply = ask("POST /v1/ids/orders", "Accept: " + std::string(accept) + "\r\n");
    EXPECT_TRUE(has(reply, "Content-Type: " + std::string(type))) << accept;
  }
  EXPECT_TRUE(
      has(ask("POST /v1/ids/orders", "Accept: image/png\r\nAccept: text/plain\r\n"), "Content-Type: text/plain"));
}

TEST_F(HttpTest, n_is_a_strict_number_within_the_batch) {
  for (const char* n : {"", "+1", "-1", "3abc", "01", "1.0", "%EF%BC%91", "99999999999999999999999", "0"})
    EXPECT_EQ(refusal(ask("POST /v1/ids/orders?n=" + std::string(n))), "400 option_invalid") << n;
  for (const char* n : {"101", "10000000000", "9223372036854775808"})
    EXPECT_EQ(refusal(ask("POST /v1/ids/orders?n=" + std::string(n))), "400 batch_too_large") << n;
  EXPECT_EQ(status(ask("POST /v1/ids/orders?n=100")), "200");
  EXPECT_EQ(body(ask("POST /v1/ids/orders?n=101")),
            "{\"code\":\"batch_too_large\",\"message\":\"n is '101'; ask for 1 to 100 ids at a time, the "
            "max_batch of this server\"}");
}

TEST_F(HttpTest, after_is_read_strictly_and_handed_on) {
  const Request request = http_.read("POST /v1/ids/orders?after=912101662074630425&n=2 HTTP/1.1\r\nHost: ids\r\n\r\n");
  EXPECT_EQ(request.after, 912101662074630425U);
  EXPECT_EQ(request.ids, 2U);
  EXPECT_EQ(request.queue, numbers_.service.generator("orders"));
  EXPECT_EQ(refusal(ask("POST /v1/ids/orders?after=1x")), "400 text_invalid");
  EXPECT_EQ(refusal(ask("POST /v1/ids/orders?after=9223372036854775808")), "400 id_out_of_range");
}

TEST_F(HttpTest, parameters_are_known_and_come_once) {
  for (const char* query :
       {"m=1", "N=1", "n=1&n=1", "n=1&after=1&after=2", "n=1&", "&n=1", "=1", "n=1&&after=1", "layout=x"})
    EXPECT_EQ(refusal(ask("POST /v1/ids/orders?" + std::string(query))), "400 option_invalid") << query;
  EXPECT_EQ(status(ask("POST /v1/ids/orders?")), "200");
  EXPECT_EQ(status(ask("POST /v1/ids/orders?%6e=%31")), "200") << "escapes are the characters that they stand for";
  for (const char* path : {"/livez", "/readyz", "/v1/generators"})
    EXPECT_EQ(refusal(ask("GET " + std::string(path) + "?a=b")), "400 option_invalid") << path;
}

TEST_F(HttpTest, keys_are_percent_decoded) {
  EXPECT_EQ(status(ask("POST /v1/ids/%6Frd%65rs")), "200");
  EXPECT_EQ(refusal(ask("POST /v1/ids/orders%2F")), "404 unknown_key");
  EXPECT_EQ(refusal(ask("POST /v1/ids/orders%00")), "404 unknown_key");
  EXPECT_EQ(refusal(ask("POST /v1/ids/or+ders")), "404 unknown_key") << "a blank in a query, itself in a path";
  for (const char* key : {"%", "orders%", "%6", "%zz", "%6g", "%%36f"})
    EXPECT_EQ(refusal(ask("POST /v1/ids/" + std::string(key))), "400 bad_request") << key;
}

TEST_F(HttpTest, keys_of_nothing_are_unknown_unless_a_generator_serves_them) {
  EXPECT_EQ(refusal(ask("POST /v1/ids/invoices")), "404 unknown_key");
  numbers_.service.serve_unknown_keys_by("orders");
  EXPECT_EQ(status(ask("POST /v1/ids/invoices")), "200");
  EXPECT_EQ(body(ask("POST /v1/ids/tickets")), R"({"ids":["7"]})");
}

TEST_F(HttpTest, ids_are_not_given_to_methods_that_caches_keep) {
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "post", "BREW"}) {
    const std::string reply = ask(std::string(method) + " /v1/ids/orders");
    EXPECT_EQ(status(reply), "405") << method;
    EXPECT_TRUE(has(reply, "Allow: POST")) << method;
  }
  EXPECT_EQ(refusal(ask("GET /v1/ids/orders")), "405 method_not_allowed");
}

TEST_F(HttpTest, a_body_is_refused_rather_than_not_looked_at) {
  EXPECT_EQ(refusal(say("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nContent-Length: 4\r\n\r\nn=10")),
            "400 bad_request");
  EXPECT_EQ(refusal(say("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
            "400 bad_request");
  EXPECT_EQ(status(ask("POST /v1/ids/orders", "Content-Length: 0\r\n")), "200");
}

// --- pages ---------------------------------------------------------------------------------------

TEST_F(HttpTest, decode_has_the_parts_of_an_id) {
  EXPECT_EQ(
      body(ask("GET /v1/decode/912101662074630426")),
      R"({"id":"912101662074630426","layout":"timestamp:41 worker:10 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z",)"
      R"("time":"2026-11-21T22:06:22.268Z","time_ms":1795298782268,"tick":"217461982268","node":"7","sequence":282,)"
      R"("fields":{"worker":7}})");
}

TEST_F(HttpTest, decode_takes_the_layout_by_name_or_as_text) {
  const std::string twitter = body(ask("GET /v1/decode/912101662074630426?layout=twitter"));
  EXPECT_NE(twitter.find(R"("fields":{"datacenter":)"), std::string::npos) << twitter;
  for (const char* blank : {"+", "%20"}) {
    const std::string b = blank;
    const std::string text =
        "timestamp:41" + b + "host:10" + b + "sequence:12" + b + "tick=1ms" + b + "epoch=2020-01-01T00:00:00.000Z";
    const std::string reply = body(ask("GET /v1/decode/912101662074630426?layout=" + text));
    EXPECT_NE(reply.find(R"("fields":{"host":7})"), std::string::npos) << reply;
  }
  EXPECT_EQ(refusal(ask("GET /v1/decode/1?layout=twiter")), "400 unknown_preset");
  EXPECT_EQ(refusal(ask("GET /v1/decode/1?layout=")), "400 unknown_preset");
  EXPECT_EQ(refusal(ask("GET /v1/decode/1?layout=a:b")), "400 layout_invalid");
}

TEST_F(HttpTest, decode_needs_a_layout_if_there_are_several_generators) {
  numbers_.generator("invoices", 1, "twitter");
  EXPECT_EQ(refusal(ask("GET /v1/decode/1")), "400 option_invalid");
  EXPECT_EQ(status(ask("GET /v1/decode/1?layout=twitter")), "200");
}

TEST_F(HttpTest, decode_reads_ids_strictly) {
  EXPECT_EQ(refusal(ask("GET /v1/decode/1x")), "400 text_invalid");
  EXPECT_EQ(refusal(ask("GET /v1/decode/01")), "400 text_invalid");
  EXPECT_EQ(refusal(ask("GET /v1/decode/18446744073709551615")), "400 id_out_of_range");
  EXPECT_EQ(refusal(ask("GET /v1/decode/")), "404 not_found");
}

TEST_F(HttpTest, generators_have_layouts_node_ids_and_windows) {
  EXPECT_EQ(body(ask("GET /v1/generators")),
            R"({"generators":[{"name":"orders","layout":"timestamp:41 worker:10 sequence:12 tick=1ms )"
            R"(epoch=2020-01-01T00:00:00.000Z","node":"7","until_ms":1795308132642}],"counters":["tickets"]})");
  orders_ = {false, "store_unavailable", "store_unavailable", -1, 0};
  EXPECT_NE(body(ask("GET /v1/generators")).find(R"("node":null,"until_ms":null})"), std::string::npos);
}

TEST_F(HttpTest, readiness_names_the_code_of_each_key) {
  const std::string ready = ask("GET /readyz");
  EXPECT_EQ(status(ready), "200");
  EXPECT_EQ(body(ready), R"({"ready":true,"draining":false,"keys":{"orders":{"ready":true,"code":null},)"
                         R"("tickets":{"ready":true,"code":null}}})");
  tickets_ = {false, "store_unavailable", "store_unavailable", -1, 0};
  const std::string unready = ask("GET /readyz");
  EXPECT_EQ(status(unready), "503");
  EXPECT_EQ(body(unready), R"({"ready":false,"draining":false,"keys":{"orders":{"ready":true,"code":null},)"
                           R"("tickets":{"ready":false,"code":"store_unavailable"}}})");
}

TEST_F(HttpTest, a_draining_server_lives_but_is_not_ready) {
  numbers_.service.drain();
  EXPECT_EQ(status(ask("GET /readyz")), "503");
  EXPECT_EQ(body(ask("GET /livez")), R"({"live":true})");
  EXPECT_EQ(status(ask("POST /v1/ids/orders")), "200");
}

TEST_F(HttpTest, names_are_escaped) {
  numbers_.generator("a\"b\\c\n\x01", 1);
  EXPECT_NE(body(ask("GET /readyz")).find(R"("a\"b\\c\u000a\u0001":{)"), std::string::npos);
}

TEST_F(HttpTest, paths_that_are_not_there_are_not_found) {
  for (const char* path :
       {"/", "/v1", "/v1/ids", "/v1/ids/", "/v1/ids/orders/", "/v1/ids/a/b", "/livez/", "/metric", "*", "//livez"})
    EXPECT_EQ(refusal(ask("GET " + std::string(path))), "404 not_found") << path;
}

TEST_F(HttpTest, a_target_may_be_a_whole_url) {
  EXPECT_EQ(status(ask("GET http://ids:8080/livez")), "200");
  EXPECT_EQ(status(ask("POST HTTPS://ids/v1/ids/orders?n=2")), "200");
  EXPECT_EQ(refusal(ask("GET http://ids")), "404 not_found");
}

TEST_F(HttpTest, head_is_get_without_the_body) {
  const std::string get = ask("GET /readyz"), head = ask("HEAD /readyz");
  EXPECT_EQ(head, get.substr(0, get.find("\r\n\r\n") + 4));
  EXPECT_EQ(say("HEAD /livez HTTP/1.1\r\n\r\n").find('{'), std::string::npos) << "no Host";
  EXPECT_EQ(ask("HEAD /nowhere").find('{'), std::string::npos);
  EXPECT_TRUE(has(ask("DELETE /readyz"), "Allow: GET, HEAD"));
}

TEST_F(HttpTest, no_reply_may_be_kept) {
  for (const char* line : {"POST /v1/ids/orders", "GET /v1/ids/orders", "GET /livez", "GET /nowhere", "POST /v1/ids/x"})
    EXPECT_TRUE(has(ask(line), "Cache-Control: no-store")) << line;
}

// --- refusals ------------------------------------------------------------------------------------

TEST_F(HttpTest, refusals_have_the_status_of_their_kind) {
  const Request request = http_.read("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\n\r\n");
  const std::pair<Refusal, const char*> cases[] = {
      {bad_request("a"), "400 bad_request"},
      {unknown_key("a"), "404 unknown_key"},
      {busy("a"), "429 busy"},
      {{Refusal::Kind::unavailable, "clock_behind", "a"}, "503 clock_behind"},
  };
  for (const auto& [given, expected] : cases) {
    std::string reply;
    http_.refuse(request, given, reply);
    EXPECT_EQ(refusal(reply), expected);
    EXPECT_EQ(has(reply, "Retry-After: 1"), status(reply) == "429");
  }
}

TEST_F(HttpTest, one_connection_too_many_is_told_so) {
  std::string reply;
  http_.refuse_connection(reply);
  EXPECT_EQ(refusal(reply), "429 busy");
  EXPECT_TRUE(has(reply, "Connection: close"));
  EXPECT_TRUE(has(reply, "Retry-After: 1"));
}

TEST_F(HttpTest, texts_of_clients_are_not_repeated) {
  const std::string reply = ask("POST /v1/ids/%3Cscript%3E%22%0d%0a");
  EXPECT_EQ(refusal(reply), "404 unknown_key");
  EXPECT_EQ(reply.find("script"), std::string::npos) << reply;
}

// --- connections ---------------------------------------------------------------------------------

TEST_F(HttpTest, connections_live_on_unless_the_client_says_otherwise) {
  const std::string line = "GET /livez HTTP/1.";
  const auto manner = [&](const std::string& rest) {
    Conversation conversation(http_);
    const std::string reply = conversation.say(line + rest + "\r\n");
    return std::string(has(reply, "Connection: close")        ? "close"
                       : has(reply, "Connection: keep-alive") ? "keep-alive"
                                                              : "") +
           (conversation.ended() ? ", closed" : ", open");
  };
  EXPECT_EQ(manner("1\r\nHost: ids\r\n"), ", open");
  EXPECT_EQ(manner("1\r\nHost: ids\r\nConnection: Close\r\n"), "close, closed");
  EXPECT_EQ(manner("1\r\nHost: ids\r\nConnection: foo, close\r\n"), "close, closed");
  EXPECT_EQ(manner("0\r\n"), "close, closed");
  EXPECT_EQ(manner("0\r\nConnection: keep-alive\r\n"), "keep-alive, open");
}

TEST_F(HttpTest, replies_of_a_pipeline_keep_its_order_and_each_its_form) {
  const std::string replies =
      say("POST /v1/ids/tickets HTTP/1.1\r\nHost: ids\r\n\r\n"
          "POST /v1/ids/tickets?n=2 HTTP/1.0\r\nConnection: keep-alive\r\nAccept: text/plain\r\n\r\n"
          "\r\nGET /livez HTTP/1.1\r\nHost: ids\r\n\r\n"
          "HEAD /api/segment/get/tickets HTTP/1.1\r\nHost: ids\r\n\r\n"
          "POST /v1/ids/tickets HTTP/1.1\r\nHost: ids\r\nConnection: close\r\n\r\n"
          "POST /v1/ids/tickets HTTP/1.1\r\nHost: ids\r\n\r\n");
  const std::string head = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Type: ";
  EXPECT_EQ(replies, head + "application/json\r\nContent-Length: 13\r\n\r\n{\"ids\":[\"7\"]}" + head +
                         "text/plain\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\n8\n9\n" + head +
                         "application/json\r\nContent-Length: 13\r\n\r\n{\"live\":true}" + head +
                         "text/plain\r\nContent-Length: 2\r\n\r\n" + head +
                         "application/json\r\nConnection: close\r\nContent-Length: 14\r\n\r\n{\"ids\":[\"11\"]}");
}

TEST_F(HttpTest, a_refused_request_does_not_end_its_connection) {
  const std::string replies =
      say("POST /v1/ids/x HTTP/1.1\r\nHost: ids\r\nContent-Length: 3\r\n\r\nabc"
          "POST /v1/ids/x HTTP/1.1\r\nHost: ids\r\n\r\n"
          "POST /v1/ids/tickets HTTP/1.1\r\nHost: ids\r\n\r\n");
  EXPECT_EQ(body(replies.substr(replies.rfind("HTTP/1.1"))), R"({"ids":["7"]})");
}

TEST_F(HttpTest, pieces_of_any_size_mean_the_same) {
  const std::string text =
      "POST /v1/ids/orders?n=2 HTTP/1.1\r\nHost: ids\r\nAccept: text/plain\r\n\r\n\r\n"
      "POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nContent-Length: 3\r\n\r\nabc"
      "GET /api/snowflake/get/orders HTTP/1.1\r\nHost: ids\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;a=b\r\nabc\r\n0\r\nAccept: text/plain\r\n\r\n"
      "GET /v1/decode/1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /x HTTP/1.1\nHost: ids\r\n\r\n";
  std::string whole;
  for (const std::size_t piece : {text.size(), std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    ServedNumbers numbers;
    numbers.generator("orders", kFirst);
    Http http(numbers.service, true);
    Conversation conversation(http);
    const std::string replies = conversation.say(text, piece);
    EXPECT_TRUE(conversation.ended());
    EXPECT_EQ(conversation.exchanges().size(), 5U);
    if (whole.empty()) whole = replies;
    EXPECT_EQ(replies, whole) << piece;
  }
}

TEST_F(HttpTest, reading_changes_nothing) {
  const std::string post = "POST /v1/ids/orders?n=2 HTTP/1.1\r\nHost: ids\r\n\r\n",
                    get = "GET /nowhere HTTP/1.1\r\nHost: ids\r\n\r\n";
  EXPECT_EQ(http_.read(post.substr(0, 20)).length, 0U);
  for (int i = 0; i < 2; ++i) {
    const Request request = http_.read(post + get);
    EXPECT_EQ(request.length, post.size());
    EXPECT_EQ(request.ids, 2U);
    const Request other = http_.read(get);
    EXPECT_EQ(other.length, get.size());
    EXPECT_EQ(other.queue, nullptr);
    std::string reply;
    http_.answer(other, reply);
    EXPECT_EQ(refusal(reply), "404 not_found");
  }
}

// --- bytes that are not HTTP ---------------------------------------------------------------------

TEST_F(HttpTest, what_two_servers_could_read_in_two_ways_is_refused) {
  const std::string begin = "POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\n";
  const char* const fields[] = {
      "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
      "Content-Length: 3\r\nContent-Length: 4\r\n",
      "Content-Length: 3\r\nContent-Length: 3\r\n",
      "Content-Length: 3, 3\r\n",
      "Content-Length: +3\r\n",
      "Content-Length: -1\r\n",
      "Content-Length: 0x3\r\n",
      "Content-Length:\r\n",
      "Content-Length: 18446744073709551616\r\n",
      "Content-Length : 3\r\n",
      "Transfer-Encoding : chunked\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked, chunked\r\n",
      "Transfer-Encoding: gzip, chunked\r\n",
      "Transfer-Encoding: gzip\r\n",
      "Transfer-Encoding: xchunked\r\n",
      "Transfer-Encoding:\r\n",
      "A: b\n",
      "A: b\rC: d\r\n",
      "A: b\r\r\n",
      "A\r\n",
      ": b\r\n",
      "A b: c\r\n",
      " A: b\r\n",
      "Host: other\r\n",
  };
  for (const char* each : fields)
    EXPECT_EQ(last_refusal(begin + each + "\r\n3\r\nabc\r\n0\r\n\r\n"), "400 bad_request, closed") << each;
  EXPECT_EQ(last_refusal(begin + std::string("A: \0b\r\n\r\n", 9)), "400 bad_request, closed");
  EXPECT_EQ(last_refusal("POST /v1/ids/orders HTTP/1.1\r\n\r\n"), "400 bad_request, closed") << "no Host";
  EXPECT_EQ(last_refusal("GET /livez HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "400 bad_request, closed");
}

TEST_F(HttpTest, lines_that_are_no_request_are_refused) {
  for (const char* line :
       {"GET /livez HTTP/1.1\n", "GET  /livez HTTP/1.1\r\n", "GET /li vez HTTP/1.1\r\n", "GET /livez\r\n",
        "GET /livez HTTP/2.0\r\n", "GET /livez HTTP/1.2\r\n", "GET /livez http/1.1\r\n", "GET /livez HTTP/1.1 \r\n",
        "GE(T /livez HTTP/1.1\r\n", "GET /li\tvez HTTP/1.1\r\n"})
    EXPECT_EQ(last_refusal(line + std::string("Host: ids\r\n\r\n")), "400 bad_request, closed") << line;
  EXPECT_EQ(last_refusal("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "400 bad_request, closed");
}

TEST_F(HttpTest, no_more_is_waited_for_than_needed_to_refuse) {
  EXPECT_EQ(last_refusal("\x16\x03\x01\x02"), "400 bad_request, closed") << "TLS";
  EXPECT_EQ(last_refusal("*1\r\n$4\r\nPING\r\n"), "400 bad_request, closed") << "RESP";
  EXPECT_EQ(last_refusal("GET /livez HTTP/1.1\n"), "400 bad_request, closed");
  EXPECT_EQ(last_refusal("\r\n\r\n"), "400 bad_request, closed");
}

TEST_F(HttpTest, chunks_are_read_strictly) {
  const std::string begin = "GET /api/snowflake/get/orders HTTP/1.1\r\nHost: ids\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char* body : {"x\r\n", "-1\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\nabc\r\n0\r\n\r\n", "11111111111111111\r\n",
                           "3 a\r\nabc\r\n0\r\n\r\n"})
    EXPECT_EQ(last_refusal(begin + body), "400 bad_request, closed") << body;
  EXPECT_EQ(status(say(begin + "3\r\nabc\r\n0\r\n\r\n")), "200");
}

TEST_F(HttpTest, heads_have_at_most_8_KiB) {
  const std::string begin = "GET /livez HTTP/1.1\r\nHost: ids\r\nA: ";
  const std::string end = "\r\n\r\n";
  const std::size_t rest = 8192 - begin.size() - end.size();
  EXPECT_EQ(status(say(begin + std::string(rest, 'a') + end)), "200");
  EXPECT_EQ(last_refusal(begin + std::string(rest + 1, 'a') + end), "431 bad_request, closed");
  EXPECT_EQ(last_refusal(begin + std::string(rest + 4, 'a')), "431 bad_request, closed") << "no end was seen";
  EXPECT_EQ(say(begin + std::string(rest + 3, 'a')), "") << "waits";
}

TEST_F(HttpTest, bodies_have_at_most_64_KiB_and_8_in_chunks) {
  const std::string begin = "GET /api/snowflake/get/orders HTTP/1.1\r\nHost: ids\r\n";
  EXPECT_EQ(status(say(begin + "Content-Length: 65536\r\n\r\n" + std::string(65536, 'a'))), "200");
  EXPECT_EQ(last_refusal(begin + "Content-Length: 65537\r\n\r\n"), "413 bad_request, closed") << "at once";
  EXPECT_EQ(last_refusal(begin + "Transfer-Encoding: chunked\r\n\r\n10001\r\n"), "413 bad_request, closed");
  std::string chunks;
  while (chunks.size() <= 8192) chunks += "1\r\na\r\n";
  EXPECT_EQ(last_refusal(begin + "Transfer-Encoding: chunked\r\n\r\n" + chunks), "413 bad_request, closed");
  EXPECT_EQ(last_refusal(begin + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(8192, 'a')),
            "413 bad_request, closed");
  EXPECT_EQ(last_refusal(begin + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: " + std::string(8192, 'a')),
            "413 bad_request, closed");
}

TEST_F(HttpTest, a_client_that_waits_for_a_go_ahead_is_told_to_send_at_once) {
  EXPECT_EQ(
      last_refusal("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"),
      "417 bad_request, closed");
  EXPECT_EQ(status(ask("POST /v1/ids/orders", "Expect: 100-continue\r\nContent-Length: 0\r\n")), "200");
}

// --- Leaf ----------------------------------------------------------------------------------------

TEST_F(HttpTest, leafs_clients_get_an_id_as_text) {
  EXPECT_EQ(
      ask("GET /api/snowflake/get/orders"),
      "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Type: text/plain\r\nContent-Length: 18\r\n\r\n912101662074630426");
  EXPECT_EQ(body(ask("PUT /api/snowflake/get/orders?_=17", "Accept: application/json\r\n")), "912101662074630427");
  EXPECT_EQ(body(say("POST /api/segment/get/tickets HTTP/1.1\r\nHost: ids\r\nContent-Length: 2\r\n\r\n{}")), "7");
}

TEST_F(HttpTest, leafs_clients_never_get_a_number_that_is_none) {
  numbers_.service.serve_unknown_keys_by("orders");
  EXPECT_EQ(status(ask("GET /api/snowflake/get/any-key")), "200") << "Leaf does not look at it";
  EXPECT_EQ(refusal(ask("GET /api/segment/get/orders")), "404 unknown_key");
  EXPECT_EQ(refusal(ask("GET /api/segment/get/none")), "404 unknown_key");
  EXPECT_EQ(refusal(ask("GET /api/segment/get/")), "404 not_found");
}

TEST_F(HttpTest, leafs_clients_know_the_status_500_alone) {
  const Request request = http_.read("GET /api/snowflake/get/orders HTTP/1.1\r\nHost: ids\r\n\r\n");
  for (const Refusal& given : {busy("a"), Refusal{Refusal::Kind::unavailable, "busy", "a"}}) {
    std::string reply;
    http_.refuse(request, given, reply);
    EXPECT_EQ(refusal(reply), "500 busy");
  }
}

TEST_F(HttpTest, leafs_clients_decode_as_they_did) {
  numbers_.service.serve_unknown_keys_by("orders");
  const std::string reply = ask("GET /decodeSnowflakeId?snowflakeId=912101662074630426&a=b");
  EXPECT_TRUE(has(reply, "Content-Type: application/json"));
  EXPECT_EQ(body(reply),
            R"-({"timestamp":"1795298782268(2026-11-21 22:06:22.268)","sequenceId":"282","workerId":"7"})-");
  EXPECT_EQ(refusal(ask("GET /decodeSnowflakeId")), "400 option_invalid");
  EXPECT_EQ(refusal(ask("GET /decodeSnowflakeId?snowflakeId=x")), "400 text_invalid");
}

TEST_F(HttpTest, leafs_paths_are_there_only_if_wanted) {
  Http plain(numbers_.service, false);
  for (const char* path :
       {"/api/snowflake/get/orders", "/api/segment/get/tickets", "/decodeSnowflakeId?snowflakeId=1"}) {
    const std::string reply = Conversation(plain).say("GET " + std::string(path) + " HTTP/1.1\r\nHost: ids\r\n\r\n");
    EXPECT_EQ(refusal(reply), "404 not_found") << path;
  }
}

}  // namespace
}  // namespace polyflake::server::test
