// HTTP at a listener with tokens: 401, 403, and what needs none.
#include "http/http_access.hpp"

#include <gtest/gtest.h>

#include <string>

#include "http/http.hpp"
#include "moved_clock.hpp"
#include "served_numbers.hpp"

namespace polyflake::server::test {
namespace {

constexpr char kBilling[] = "billing-0123456789";
constexpr char kOps[] = "ops-\"0123456789'abcdef";
constexpr char kInspect[] = "inspect-0123456789";

std::vector<Token> tokens() {
  return {{"billing", Secret(kBilling), {"orders"}, 100, false},
          {"ops", Secret(kOps), {}, 0, false},
          {"inspect", Secret(kInspect), {"tickets"}, 0, true}};
}

class HttpAccessTest : public testing::Test {
 protected:
  HttpAccessTest() {
    numbers_.generator("orders", 1000);
    numbers_.generator("users", 2000);
    numbers_.counter("tickets", 7);
  }

  std::string ask(const std::string& line, const std::string& fields) {
    return Conversation(http_).say(line + " HTTP/1.1\r\nHost: ids\r\n" + fields + "\r\n");
  }
  static std::string bearer(const std::string& secret) { return "Authorization: Bearer " + secret + "\r\n"; }
  // Returns the status of the reply and the code of a refusal.
  std::string result(const std::string& line, const std::string& fields) {
    const std::string reply = ask(line, fields);
    const std::string begin = R"({"code":")";
    const std::size_t code = reply.find(begin);
    if (code == std::string::npos) return reply.substr(9, 3);
    return reply.substr(9, 4) +
           reply.substr(code + begin.size(), reply.find('"', code + begin.size()) - code - begin.size());
  }

  ServedNumbers numbers_;
  Access access_{tokens(), read_now_ns};
  Gate gate_{access_};
  Http http_{numbers_.service, true, &gate_};
};

TEST_F(HttpAccessTest, without_a_token_no_id_is_given) {
  const std::string reply = ask("POST /v1/ids/orders", "");
  EXPECT_EQ(reply.substr(0, 26), "HTTP/1.1 401 Unauthorized\r");
  EXPECT_NE(reply.find("\r\nWWW-Authenticate: Bearer\r\n"), std::string::npos);
  EXPECT_EQ(reply.find("Connection: close"), std::string::npos);
  for (const char* line :
       {"POST /v1/ids/orders", "POST /v1/ids/nothing", "GET /v1/ids/orders", "GET /v1/decode/7", "GET /v1/generators",
        "GET /metrics", "HEAD /v1/generators", "GET /api/snowflake/get/orders", "PUT /api/segment/get/tickets",
        "GET /decodeSnowflakeId?snowflakeId=7", "POST /v1/ids/orders?n=x"}) {
    EXPECT_EQ(result(line, "").substr(0, 3), "401") << line;
    EXPECT_EQ(result(line, bearer("wrong-0123456789ab")).substr(0, 3), "401") << line;
  }
}

TEST_F(HttpAccessTest, load_balancers_need_none) {
  for (const std::string& fields : {std::string(), bearer("wrong"), bearer(kBilling), bearer("a") + bearer("b")}) {
    EXPECT_EQ(result("GET /livez", fields), "200");
    EXPECT_EQ(result("GET /readyz", fields), "200");
  }
}

TEST_F(HttpAccessTest, a_right_token_takes_ids_of_its_keys) {
  EXPECT_NE(ask("POST /v1/ids/orders?n=2", bearer(kBilling)).find(R"({"ids":["1000","1001"]})"), std::string::npos);
  EXPECT_EQ(result("POST /v1/ids/users", bearer(kBilling)), "403 forbidden");
  EXPECT_EQ(result("POST /v1/ids/tickets", bearer(kBilling)), "403 forbidden");
  EXPECT_EQ(result("POST /v1/ids/nothing", bearer(kBilling)), "404 unknown_key");
  for (const char* key : {"orders", "users", "tickets"}) {
    EXPECT_EQ(result("POST /v1/ids/" + std::string(key), bearer(kOps)), "200") << key;
  }
}

TEST_F(HttpAccessTest, leafs_paths_need_one_too) {
  EXPECT_EQ(result("GET /api/snowflake/get/orders", bearer(kBilling)), "200");
  EXPECT_EQ(result("GET /api/snowflake/get/users", bearer(kBilling)), "403 forbidden");
  EXPECT_EQ(result("GET /api/segment/get/tickets", bearer(kBilling)), "403 forbidden");
  EXPECT_EQ(result("GET /api/segment/get/tickets", bearer(kOps)), "200");
  EXPECT_EQ(result("GET /decodeSnowflakeId?snowflakeId=7", bearer(kOps)), "403 forbidden");
  EXPECT_EQ(result("GET /decodeSnowflakeId?snowflakeId=7", bearer(kInspect)), "400 option_invalid")
      << "it may, but there are two generators";
}

TEST_F(HttpAccessTest, keys_that_a_generator_serves_for_others_are_its) {
  numbers_.service.serve_unknown_keys_by("orders");
  EXPECT_EQ(result("POST /v1/ids/anything", bearer(kBilling)), "200");
  numbers_.service.serve_unknown_keys_by("users");
  EXPECT_EQ(result("POST /v1/ids/anything", bearer(kBilling)), "403 forbidden");
}

TEST_F(HttpAccessTest, times_and_volumes_are_shown_to_those_who_may_inspect) {
  for (const char* line :
       {"GET /v1/decode/7?layout=leaf", "GET /v1/generators", "HEAD /v1/generators", "GET /metrics"}) {
    EXPECT_EQ(result(line, bearer(kOps)).substr(0, 3), "403") << line;
    EXPECT_EQ(result(line, bearer(kInspect)), "200") << line;
  }
  EXPECT_EQ(result("POST /v1/ids/orders", bearer(kInspect)), "403 forbidden") << "its keys are others";
}

TEST_F(HttpAccessTest, credentials_are_of_the_scheme_bearer) {
  const auto with = [&](const std::string& value) {
    return result("POST /v1/ids/orders", "Authorization: " + value + "\r\n");
  };
  EXPECT_EQ(with("bEARER " + std::string(kBilling)), "200");
  EXPECT_EQ(with("Bearer " + std::string(kBilling) + "  \t"), "200") << "blanks behind a field are not of it";
  for (const std::string scheme : {"", "Bearer", "Bearer\t", "Basic ", "BearerBearer ", "Token "}) {
    EXPECT_EQ(with(scheme + kBilling), "401 token_missing") << scheme;
  }
  EXPECT_EQ(with("Bearer"), "401 token_missing");
  for (const std::string around : {"\"", "'", ","}) {
    EXPECT_EQ(with("Bearer " + around + kBilling + around), "401 token_wrong") << around;
  }
  EXPECT_EQ(with("Bearer  " + std::string(kBilling)), "401 token_wrong") << "one blank";
  EXPECT_EQ(with("Bearer " + std::string(kBilling) + ", Bearer " + kBilling), "401 token_wrong");
  EXPECT_EQ(with("Bearer " + std::string(7000, 'a')), "401 token_wrong");
  EXPECT_EQ(with("Bearer " + std::string(kBilling) + std::string(7000, 'a')), "401 token_wrong");
  EXPECT_EQ(with("Bearer " + std::string(8192, 'a')), "431 bad_request");
}

TEST_F(HttpAccessTest, a_secret_may_have_quotes) { EXPECT_EQ(result("POST /v1/ids/orders", bearer(kOps)), "200"); }

TEST_F(HttpAccessTest, a_second_field_is_refused_even_if_one_is_right) {
  for (const auto& [first, second] : {std::pair(kBilling, kBilling), {kBilling, "wrong"}, {"wrong", kBilling}}) {
    EXPECT_EQ(result("POST /v1/ids/orders", bearer(first) + bearer(second)), "400 bad_request");
  }
}

TEST_F(HttpAccessTest, a_query_is_no_place_for_a_secret) {
  for (const char* name : {"token", "access_token", "secret"}) {
    EXPECT_EQ(result("POST /v1/ids/orders?" + std::string(name) + "=" + kBilling, ""), "401 token_missing");
    EXPECT_EQ(result("POST /v1/ids/orders?" + std::string(name) + "=" + kBilling, bearer(kOps)), "400 option_invalid");
  }
}

TEST_F(HttpAccessTest, a_trailer_is_no_place_for_a_secret) {
  EXPECT_NE(Conversation(http_)
                .say("GET /api/snowflake/get/orders HTTP/1.1\r\nHost: ids\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" +
                     bearer(kOps) + "\r\n")
                .find(" 401 "),
            std::string::npos);
}

TEST_F(HttpAccessTest, wrong_secrets_are_counted_once_a_reply) {
  const std::string text = "POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\n" + bearer("wrong") + "\r\n";
  for (int i = 0; i < 3; ++i) http_.read(text);
  EXPECT_EQ(gate_.take_wrong_secrets(), 0U);
  std::string out;
  http_.answer(http_.read(text), out);
  EXPECT_EQ(gate_.take_wrong_secrets(), 1U);
  ask("POST /v1/ids/orders", "");
  ask("POST /v1/ids/users", bearer(kBilling));
  ask("POST /v1/ids/users", "Authorization: Basic abc\r\n");
  EXPECT_EQ(gate_.take_wrong_secrets(), 0U);
}

TEST_F(HttpAccessTest, requests_count_against_the_rate_of_their_token) {
  const auto rate_of = [&](const char* path, const char* secret) {
    return http_.read("POST " + std::string(path) + " HTTP/1.1\r\nHost: ids\r\n" + bearer(secret) + "\r\n").rate;
  };
  EXPECT_EQ(rate_of("/v1/ids/orders?n=3", kBilling), access_.right_of(kBilling).rate());
  EXPECT_EQ(rate_of("/api/snowflake/get/orders", kBilling), access_.right_of(kBilling).rate());
  EXPECT_EQ(rate_of("/v1/ids/orders?n=3", kOps), nullptr);
}

TEST_F(HttpAccessTest, retry_after_is_that_of_the_rate) {
  const Request request = http_.read("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\n" + bearer(kBilling) + "\r\n");
  ASSERT_FALSE(request.rate->take(1234));
  std::string reply;
  http_.refuse(request, *request.rate->take(1), reply);
  EXPECT_NE(reply.find("HTTP/1.1 429 "), std::string::npos);
  EXPECT_NE(reply.find("\r\nRetry-After: 12\r\n"), std::string::npos) << reply;
}

TEST_F(HttpAccessTest, a_connection_asks_again_for_each_request) {
  Conversation conversation(http_);
  const auto take = [&](const char* secret) {
    return conversation.say("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\n" + bearer(secret) + "\r\n").substr(9, 3);
  };
  EXPECT_EQ(take(kBilling), "200");
  EXPECT_EQ(take(""), "401");
  EXPECT_EQ(take(kInspect), "403");
  EXPECT_EQ(take(kBilling), "200");
  access_.replace({{"ops", Secret(kOps), {}, 0, false}});
  EXPECT_EQ(take(kBilling), "401");
  EXPECT_EQ(take(kOps), "200");
}

TEST(HttpWithoutTokens, a_token_is_not_looked_at) {
  ServedNumbers numbers;
  numbers.generator("orders", 1000);
  Http http(numbers.service, false);
  const std::string fields = "Authorization: Bearer a\r\nAuthorization: Basic b\r\n";
  const std::string reply = Conversation(http).say("POST /v1/ids/orders HTTP/1.1\r\nHost: ids\r\n" + fields + "\r\n");
  EXPECT_EQ(reply.substr(9, 3), "200");
}

}  // namespace
}  // namespace polyflake::server::test
