// Access: which text is which token's, and what a changed file means to those who are in.
#include "access/access.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "moved_clock.hpp"

namespace polyflake::server::test {
namespace {

constexpr char kBilling[] = "billing-0123456789";
constexpr char kOps[] = "ops-0123456789abcdef";

Token token(const std::string& name, const std::string& secret) { return {name, Secret(secret), {}, 0, false}; }

struct AccessTest : testing::Test {
  std::string owner(std::string_view secret) const {
    const Right right = access.right_of(secret);
    return right.holds() ? right.token() : "nobody";
  }

  Access access{{token("billing", kBilling), token("ops", kOps)}, read_now_ns};
};

TEST(Secret, equal_texts_alone_are_equal) {
  const std::string longest(Secret::kLongest, 'a');
  const std::string texts[] = {"",
                               "a",
                               "b",
                               std::string("a\0", 2),
                               longest,
                               longest + 'a',
                               longest + 'b',
                               longest.substr(1),
                               longest.substr(1) + 'b',
                               'b' + longest.substr(1)};
  for (const std::string& one : texts) {
    for (const std::string& other : texts) {
      const bool too_long = one.size() > Secret::kLongest && other.size() > Secret::kLongest;
      if (too_long) continue;
      EXPECT_EQ(Secret(one).differs_from(Secret(other)), one == other ? 0U : 1U) << one << " " << other;
    }
  }
}

TEST(Secret, each_bit_counts) {
  std::string text(Secret::kLongest, 'a');
  const Secret right(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    EXPECT_EQ(right.differs_from(Secret(text)), 1U) << bit;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  }
}

TEST_F(AccessTest, a_secret_is_its_tokens_and_another_text_nobodys) {
  EXPECT_EQ(owner(kBilling), "billing");
  EXPECT_EQ(owner(kOps), "ops");
  for (const std::string& wrong : {std::string(), std::string(kBilling) + " ", std::string(kBilling).substr(1),
                                   std::string(kBilling) + '\0', std::string(1 << 16, 'a')}) {
    EXPECT_EQ(owner(wrong), "nobody") << wrong;
  }
  EXPECT_FALSE(Right().holds());
}

TEST_F(AccessTest, of_many_tokens_each_has_its_own) {
  std::vector<Token> many;
  for (int i = 0; i < 1000; ++i) many.push_back(token("t" + std::to_string(i), "a secret number " + std::to_string(i)));
  access.replace(many);
  EXPECT_EQ(access.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(owner("a secret number " + std::to_string(i)), "t" + std::to_string(i));
  EXPECT_EQ(owner("a secret number 1000"), "nobody");
}

TEST_F(AccessTest, a_token_without_keys_is_for_all) {
  Token limited = token("billing", kBilling);
  limited.keys = {"orders", "invoices"};
  limited.may_inspect = true;
  access.replace({limited, token("ops", kOps)});
  const Right billing = access.right_of(kBilling), ops = access.right_of(kOps);
  EXPECT_TRUE(billing.may_take("orders") && billing.may_take("invoices"));
  EXPECT_FALSE(billing.may_take("users") || billing.may_take("order") || billing.may_take(""));
  EXPECT_TRUE(ops.may_take("users"));
  EXPECT_TRUE(billing.may_inspect() && !ops.may_inspect());
}

TEST_F(AccessTest, a_right_ends_when_its_token_goes_and_does_not_come_back) {
  const Right billing = access.right_of(kBilling), ops = access.right_of(kOps);
  access.replace({token("ops", kOps)});
  EXPECT_FALSE(billing.holds());
  EXPECT_TRUE(ops.holds());
  EXPECT_EQ(owner(kBilling), "nobody");
  access.replace({token("ops", kOps), token("billing", kBilling)});
  EXPECT_FALSE(billing.holds());
  EXPECT_TRUE(ops.holds());
  EXPECT_EQ(owner(kBilling), "billing");
}

TEST_F(AccessTest, a_right_ends_when_its_secret_changes) {
  const Right billing = access.right_of(kBilling);
  access.replace({token("billing", "another-0123456789"), token("ops", kOps)});
  EXPECT_FALSE(billing.holds());
  EXPECT_EQ(owner(kBilling), "nobody");
  EXPECT_EQ(owner("another-0123456789"), "billing");
}

TEST_F(AccessTest, a_right_ends_when_its_secret_is_given_to_another) {
  const Right billing = access.right_of(kBilling);
  access.replace({token("invoicing", kBilling)});
  EXPECT_FALSE(billing.holds());
  EXPECT_EQ(owner(kBilling), "invoicing");
}

TEST_F(AccessTest, a_right_that_stays_has_what_the_new_file_says) {
  const Right billing = access.right_of(kBilling);
  Token changed = token("billing", kBilling);
  changed.keys = {"orders"};
  changed.may_inspect = true;
  changed.ids_per_second = 5;
  EXPECT_EQ(billing.rate(), nullptr);
  access.replace({changed});
  ASSERT_TRUE(billing.holds());
  EXPECT_FALSE(billing.may_take("users"));
  EXPECT_TRUE(billing.may_inspect());
  ASSERT_NE(billing.rate(), nullptr);
}

TEST_F(AccessTest, the_rate_of_a_token_goes_on_and_is_one_for_all_its_clients) {
  Token limited = token("billing", kBilling);
  limited.ids_per_second = 10;
  access.replace({limited});
  Rate* const first = access.right_of(kBilling).rate();
  EXPECT_FALSE(first->take(10));
  access.replace({limited});
  EXPECT_EQ(access.right_of(kBilling).rate(), first);
  EXPECT_TRUE(first->take(1));
  access.replace({token("ops", kOps)});
  access.replace({limited});
  EXPECT_TRUE(access.right_of(kBilling).rate()->take(1)) << "nor by a file that was without it for a while";
  pass_ms(100);
  EXPECT_FALSE(access.right_of(kBilling).rate()->take(1));
}

TEST_F(AccessTest, a_gate_counts_wrong_secrets_until_they_are_logged) {
  Gate gate(access);
  EXPECT_EQ(gate.take_wrong_secrets(), 0U);
  EXPECT_FALSE(gate.right_of("wrong").holds());
  EXPECT_EQ(gate.take_wrong_secrets(), 0U) << "a request may be read twice";
  gate.count_wrong_secret();
  gate.count_wrong_secret();
  EXPECT_EQ(gate.take_wrong_secrets(), 2U);
  EXPECT_EQ(gate.take_wrong_secrets(), 0U);
}

}  // namespace
}  // namespace polyflake::server::test
