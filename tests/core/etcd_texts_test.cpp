// Texts of etcd's JSON gateway, dates of HTTP and base64.
#include "open/etcd_texts.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "open/base64.hpp"
#include "open/http_exchange.hpp"

namespace polyflake::test {
namespace {

using lease::Command;
using lease::CommandFailure;

TEST(Base64, is_that_of_the_standard) {
  const std::pair<std::string, std::string> pairs[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"},
                                                       {std::string("\0\xff\xfe", 3), "AP/+"}};
  for (const auto& [bytes, text] : pairs) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  for (const std::string text :
       {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zm9v\n", "Zm9vZ", "====", "=Zg=", "Z===", "Zm9v====", "Zm-v"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

TEST(HttpDate, is_the_Unix_time_of_its_second) {
  EXPECT_EQ(http_date_ms("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
  EXPECT_EQ(http_date_ms("Sun, 06 Nov 1994 08:49:37 GMT"), 784'111'777'000);
  EXPECT_EQ(http_date_ms("Thu, 29 Feb 2024 23:59:59 GMT"), 1'709'251'199'000);
  for (const std::string text :
       {"", "now", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 ovD 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 19 4 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT "}) {
    EXPECT_EQ(http_date_ms(text), std::nullopt) << text;
  }
}

constexpr char kHeader[] = R"({"header":{"cluster_id":"14841639068965178418","revision":"7"})";

TEST(EtcdTexts, are_answers_to_their_command_or_failures) {
  const Command command{"txn", {{"put", "a", "b"}, {"get", "a"}, {"keys", "a", "b"}}};
  const std::string get = R"({"response_range":{"kvs":[{"key":"YQ==","create_revision":"5","value":"Yg=="}]}})";
  const std::string written =
      std::string(kHeader) + R"(,"succeeded":true,"responses":[{"response_put":{}},)" + get + "," + get + "]}";
  const lease::Reply rows = etcd::rows_of(written, 1000, command);
  EXPECT_EQ(rows, (lease::Reply{{"ok", "14841639068965178418", "7", "1000"}, {"b", "5"}, {"a"}}));
  const std::string refused = std::string(kHeader) + R"(,"responses":[{"response_range":{}},{"response_range":{}}]})";
  EXPECT_EQ(etcd::rows_of(refused, std::nullopt, command),
            (lease::Reply{{"refused", "14841639068965178418", "7", std::nullopt}, {}, {}}));
  for (const std::string& wrong :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("7"), std::string("{}"),
        std::string(R"({"header":{}})"), std::string(kHeader) + "}", std::string(kHeader) + R"(,"succeeded":1})",
        std::string(kHeader) + R"(,"responses":{}})", std::string(kHeader) + R"(,"responses":[1,2]})",
        std::string(kHeader) + R"(,"responses":[{"response_range":{}},{"response_put":{}}]})",
        std::string(kHeader) + R"(,"responses":[{"response_range":{}},{"response_range":{}},{"response_range":{}}]})",
        std::string(kHeader) + R"(,"responses":[{"response_range":{"kvs":[{"value":"Y"}]}},{"response_range":{}}]})",
        std::string(kHeader) + R"(,"responses":[{"response_range":{"kvs":[7]}},{"response_range":{}}]})",
        std::string(kHeader) + R"(,"responses":[{"response_range":{"kvs":[{"value":"Yg=="}]}},{"response_range":{}}]})",
        std::string(R"({"header":{"cluster_id":7,"revision":7},"responses":[]})"), std::string(100'000, '[')}) {
    EXPECT_THROW(etcd::rows_of(wrong, std::nullopt, command), CommandFailure) << wrong.substr(0, 200);
  }
}

TEST(EtcdTexts, have_a_token_that_fits_into_a_header) {
  EXPECT_EQ(etcd::token_in(R"({"header":{},"token":"abc.7"})"), "abc.7");
  for (const char* const wrong : {"{}", R"({"token":""})", R"({"token":7})", R"({"token":"a\r\nHost: b"})", "[]"}) {
    EXPECT_THROW(etcd::token_in(wrong), CommandFailure) << wrong;
  }
}

}  // namespace
}  // namespace polyflake::test
