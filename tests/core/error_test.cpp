// The table of codes, and how untrusted text appears in messages.
#include <polyflake/error.hpp>
#include <polyflake/text.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "expect_error.hpp"

namespace polyflake {
namespace {

TEST(ErrorTable, has_each_code_once_in_the_order_of_the_enumeration) {
  std::set<std::string> names;
  std::size_t position = 0;
  for (const ErrorInfo& row : kErrorTable) {
    EXPECT_EQ(static_cast<std::size_t>(row.code), position++);
    EXPECT_EQ(&info(row.code), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_STRNE(name(row.kind), "") << row.name;
  }
  EXPECT_EQ(position, 24U);
}

TEST(Errors, carry_code_name_kind_and_message) {
  const Error error(ErrorCode::worker_in_use, "node id 7 is held");
  EXPECT_EQ(error.code(), ErrorCode::worker_in_use);
  EXPECT_STREQ(error.code_name(), "worker_in_use");
  EXPECT_EQ(error.kind(), ErrorKind::worker);
  EXPECT_STREQ(error.what(), "node id 7 is held");
}

TEST(Quoting, escapes_all_that_is_not_plain_ascii) {
  EXPECT_EQ(polyflake::quoted("abc"), "'abc'");
  EXPECT_EQ(polyflake::quoted(""), "''");
  EXPECT_EQ(polyflake::quoted("a'b\\c"), "'a\\x27b\\x5cc'");
  EXPECT_EQ(polyflake::quoted("\n\x7f\xc3\xa9"), "'\\x0a\\x7f\\xc3\\xa9'");
  EXPECT_EQ(polyflake::quoted(std::string_view("a\0b", 3)), "'a\\x00b'");
}

TEST(Quoting, cuts_after_32_characters_of_input_and_says_so) {
  EXPECT_EQ(polyflake::quoted(std::string(32, 'x')), "'" + std::string(32, 'x') + "'");
  EXPECT_EQ(polyflake::quoted(std::string(33, 'x')), "'" + std::string(32, 'x') + "'...");
  EXPECT_EQ(polyflake::quoted(std::string(1'000'000, '\n')).size(), 32U * 4 + 5);
}

TEST(Codecs, a_hundred_thousand_random_ids_round_trip) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t id = random() >> (i % 64);
    ASSERT_EQ(from_text(to_text(id)), id);
    ASSERT_EQ(from_text(to_text(id, "hex"), "hex"), id);
  }
}

TEST(Codecs, read_nothing_but_what_they_print) {
  std::mt19937_64 random(5);
  const std::string alphabet = "0123456789abcdefABCDEF +-_.x";
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (std::uint64_t length = random() % 22; length > 0; --length) text += alphabet[random() % alphabet.size()];
    for (const char* const codec : {"decimal", "hex"}) {
      try {
        ASSERT_EQ(to_text(from_text(text, codec), codec), text);
      } catch (const Error& error) {
        ASSERT_TRUE(error.code() == ErrorCode::text_invalid || error.code() == ErrorCode::id_out_of_range) << text;
      }
    }
  }
}

TEST(Codecs, refuse_huge_text_by_its_length_alone) {
  const std::string huge(100'000'000, '7');
  EXPECT_ERROR(from_text(huge), text_invalid);
  EXPECT_ERROR(from_text(huge, "hex"), text_invalid);
  EXPECT_ERROR(from_text("1", huge), option_invalid);
  EXPECT_ERROR(to_text(1, "Hex"), option_invalid);
}

}  // namespace
}  // namespace polyflake
