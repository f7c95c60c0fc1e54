// The file of tokens: what is read, and what each mistake is told, with its line and without a
// secret.
#include "access/tokens.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "configuration/configuration.hpp"

namespace polyflake::server {
namespace {

constexpr char kSecret[] = "hunter2-hunter2-hunter2";
const std::vector<std::string> kServed = {"orders", "users", "invoices"};

std::vector<Token> read(const std::string& text) { return read_tokens(text, "tokens.toml", kServed); }

std::string billing(const std::string& lines = "") {
  return "[token.billing]\nsecret = \"" + std::string(kSecret) + "\"\n" + lines + "\n";
}

// Expects a refusal that names the line and contains the words, and nothing of a secret.
void expect_refused(const std::string& text, int line, const std::string& words) {
  std::string said = "it was taken";
  try {
    read(text);
  } catch (const ConfigurationError& error) {
    said = error.what();
  }
  EXPECT_EQ(said.rfind("tokens.toml:" + std::to_string(line) + ": ", 0), 0U) << said << "\nfor:\n" << text;
  EXPECT_NE(said.find(words), std::string::npos) << said << "\nlacks: " << words;
  EXPECT_EQ(said.find("hunter2"), std::string::npos) << said;
  for (const char c : said) EXPECT_TRUE(c >= ' ' && c <= '~') << said;
}

TEST(Tokens, the_shortest_one_is_for_all_keys_without_a_limit) {
  const std::vector<Token> found = read(billing());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "billing");
  EXPECT_EQ(found[0].secret.differs_from(Secret(kSecret)), 0U);
  EXPECT_TRUE(found[0].keys.empty());
  EXPECT_EQ(found[0].ids_per_second, 0);
  EXPECT_FALSE(found[0].may_inspect);
}

TEST(Tokens, a_token_has_keys_a_rate_and_a_view) {
  const std::vector<Token> found = read(billing("keys = \"orders,  invoices\"\nrate = 10000\ninspect = true") +
                                        "[token.ops]\nsecret = \"0123456789abcdef\"\nkeys = \" users \"");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].keys, (std::vector<std::string>{"orders", "invoices"}));
  EXPECT_EQ(found[0].ids_per_second, 10000);
  EXPECT_TRUE(found[0].may_inspect);
  EXPECT_EQ(found[1].keys, std::vector<std::string>{"users"});
}

TEST(Tokens, a_secret_is_of_16_to_128_characters_that_http_can_carry) {
  const auto with = [](const std::string& secret) { return "[token.a]\nsecret = \"" + secret + "\"\n"; };
  EXPECT_EQ(read(with("0123456789abcdef")).size(), 1U);
  EXPECT_EQ(read(with(std::string(128, 'x'))).size(), 1U);
  EXPECT_EQ(read(with("!\\\"#'~+/=$;,.<>?@[]")).size(), 1U);
  EXPECT_EQ(read(with("\\\"0123456789'ab#="))[0].secret.differs_from(Secret("\"0123456789'ab#=")), 0U);
  expect_refused(with(""), 2, "not these 0");
  expect_refused(with("hunter2-hunter2"), 2, "16 to 128 printable characters of ASCII without blanks are needed");
  expect_refused(with("hunter2" + std::string(122, 'x')), 2, "not these 129");
  expect_refused(with("hunter2 hunter2 hunter2"), 2, "without blanks");
  expect_refused(with("hunter2-hunter2-\\u00e9"), 2, "printable");
  expect_refused(with("hunter2-hunter2-\\u0000"), 2, "control characters");
  expect_refused("[token.a]\nrate = 7\n", 1, "secret of [token.a] is missing");
  expect_refused("[token.a]\nsecret = 1234567890123456\n", 2, "a text in quotes");
}

TEST(Tokens, keys_are_names_that_are_served) {
  expect_refused(billing("keys = \"orders, order\""), 3,
                 "named 'order'; there are orders, users, invoices. Without the key the token is for all");
  for (const std::string wrong : {"", " ", ",", "orders,", ",orders", "orders users", "orders;users", "*"}) {
    expect_refused(billing("keys = \"" + wrong + "\""), 3, "no generator and no counter of this server");
  }
  expect_refused(billing("keys = [\"orders\"]"), 3, "a list in brackets, which no key takes");
}

TEST(Tokens, a_rate_is_a_whole_number) {
  EXPECT_EQ(read(billing("rate = 1"))[0].ids_per_second, 1);
  EXPECT_EQ(read(billing("rate = 9223372036854775807"))[0].ids_per_second, INT64_MAX);
  expect_refused(billing("rate = 0"), 3, "it may be 1 or more");
  expect_refused(billing("rate = -1"), 3, "it may be 1 or more");
  expect_refused(billing("rate = 0.5"), 3, "not a fraction");
  expect_refused(billing("inspect = \"yes\""), 3, "true or false, without quotes,");
}

TEST(Tokens, no_two_have_the_same_secret) {
  expect_refused(billing() + "[token.ops]\nsecret = \"" + kSecret + "\"\n", 4,
                 "[token.ops] has the secret of [token.billing]");
  EXPECT_EQ(read(billing() + "[token.ops]\nsecret = \"" + kSecret + "x\"\n").size(), 2U);
}

TEST(Tokens, a_file_has_tokens_and_nothing_else) {
  for (const std::string empty : {"", "# hunter2\n"}) expect_refused(empty, 1, "write a section [token.NAME]");
  expect_refused("[token]\n", 1, "write a section [token.NAME]");
  expect_refused(billing("sceret = \"a\""), 3, "there are secret, keys, rate, inspect");
  expect_refused(billing("worker = 7"), 3, "it belongs to [generator.NAME]");
  expect_refused("max_batch = 7\n" + billing(), 1, "it belongs to the top of the file");
  expect_refused("colour = 7\n" + billing(), 1, "the top of the file has no key 'colour'; there are token");
  expect_refused("[[token]]\nsecret = \"" + std::string(kSecret) + "\"\n", 1, "write [token.NAME]");
  expect_refused("[token]\nbilling = \"" + std::string(kSecret) + "\"\n", 2, "write [token.NAME]");
  expect_refused("[token.\"a b\"]\nsecret = \"" + std::string(kSecret) + "\"\n", 1, "1 to 64 of A-Z");
  expect_refused("[[listener]]\nprotocol = \"resp\"\n", 1, "there are token");
  expect_refused(billing() + billing(), 4, "cannot redefine");
  expect_refused("[token.a]\nsecret = hunter2-hunter2-hunter2\n", 2, "a text needs quotes");
  expect_refused("[token.a]\nsecret = \"hunter2-hunter2-hunter2\n", 2, "closing quote");
}

TEST(Tokens, a_file_has_at_most_1000) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(100'000 + i);
    text += "[token.t" + number + "]\nsecret = \"secret-secret-" + number + "\"\n";
  }
  EXPECT_EQ(read(text).size(), 1000U);
  expect_refused(text + billing(), 1, "at most 1000 tokens, and this one 1001");
}

// --- the configuration that names it -------------------------------------------------------------

constexpr char kGenerator[] = "[generator.orders]\nworker = 7\n[[listener]]\naddress = \"127.0.0.1:6400\"\n";

std::string refusal_of_listener(const std::string& lines) {
  try {
    read_configuration(kGenerator + lines, "server.toml");
    return "";
  } catch (const ConfigurationError& error) {
    return error.what();
  }
}

TEST(Tokens, the_configuration_itself_has_none) {
  const std::string said =
      refusal_of_listener("protocol = \"http\"\n[token.a]\nsecret = \"" + std::string(kSecret) + "\"\n");
  EXPECT_EQ(said.rfind("server.toml:6: the top of the file has no key 'token'; there are ", 0), 0U) << said;
  EXPECT_EQ(said.find("hunter2"), std::string::npos);
  EXPECT_NE(refusal_of_listener("protocol = \"http\"\nsecret = \"a\"\n").find("[token.NAME] of the file of tokens"),
            std::string::npos);
}

TEST(Tokens, a_listener_names_its_file_by_an_absolute_path) {
  const std::string text = kGenerator + std::string("protocol = \"http\"\ntokens = \"/etc/link/../tokens.toml\"\n");
  EXPECT_EQ(read_configuration(text, "server.toml").listeners[0].tokens, "/etc/link/../tokens.toml")
      << "a link may lead elsewhere";
  EXPECT_EQ(refusal_of_listener("protocol = \"resp\"\ntokens = \"/etc/tokens\"\n"), "");
  for (const std::string wrong : {"", "tokens.toml", "./tokens"}) {
    EXPECT_EQ(refusal_of_listener("protocol = \"resp\"\ntokens = \"" + wrong + "\"\n"),
              "server.toml:6: tokens of [[listener]]: an absolute path is needed");
  }
  EXPECT_NE(refusal_of_listener("protocol = \"thrift\"\ntokens = \"/etc/tokens\"\n").find("server.toml:6: tokens of "),
            std::string::npos);
}

}  // namespace
}  // namespace polyflake::server
