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
  EXPECT_EQ(position, 27U);
}

TEST(Errors, carry_code_name_kind_and_message) {
  const Error error(ErrorCode::worker_in_use, "node id 7 is held");
  EXPECT_EQ(error.code(), ErrorCode::worker_in_use);
  EXPECT_STREQ(error.code_name(), "worker_in_use");
  EXPECT_EQ(error.kind(), ErrorKind::worker);
  EXPECT_STREQ(error.what(), "node id 7 is held");
}

TEST(Quoting, shows_words_and_words_with_a_number) {
  for (const char* const plain : {"", "abc", "host", "A-Z_0.9", "x.orders-api_7", "24-characters-are-a-word", "host:7",
                                  "timestamp:41", "localhost:18446744073709551615"}) {
    EXPECT_EQ(polyflake::quoted(plain), "'" + std::string(plain) + "'");
  }
}

TEST(Quoting, tells_the_length_of_other_texts_and_the_first_position_that_no_word_has) {
  const auto at = [](int characters, int position) {
    return "(" + std::to_string(characters) + " characters, not shown: position " + std::to_string(position) +
           " is not one of A-Z a-z 0-9 _ . -)";
  };
  EXPECT_EQ(polyflake::quoted("redis:/u:PW@h"), at(13, 5));
  EXPECT_EQ(polyflake::quoted("host=h password=PW"), at(18, 4));
  EXPECT_EQ(polyflake::quoted("u:PW"), at(4, 1));
  EXPECT_EQ(polyflake::quoted("u:"), at(2, 1));
  EXPECT_EQ(polyflake::quoted(":7"), at(2, 0));
  EXPECT_EQ(polyflake::quoted("a:7:8"), at(5, 1));
  EXPECT_EQ(polyflake::quoted("a:" + std::string(21, '7')), at(23, 1));
  EXPECT_EQ(polyflake::quoted("ab\n"), at(3, 2));
  EXPECT_EQ(polyflake::quoted("\xc3\xa9"), at(1, 0));
  EXPECT_EQ(polyflake::quoted(std::string_view("a\0b", 3)), at(3, 1));
  EXPECT_EQ(polyflake::quoted(std::string(25, 'x')), "(25 characters, not shown: more than 24)");
  EXPECT_EQ(polyflake::quoted(std::string(25, 'x') + ":7"), "(27 characters, not shown: more than 24)");
}

TEST(Quoting, shows_the_end_of_a_path_and_no_key) {
  EXPECT_EQ(polyflake::quoted_path("ids.key"), "'ids.key'");
  EXPECT_EQ(polyflake::quoted_path("/run/secrets/ids.key"), "'.../ids.key'");
  EXPECT_EQ(polyflake::quoted_path("C:\\secrets\\ids.key"), "'.../ids.key'");
  const std::string hex = "000102030405060708090a0b0c0d0e0f";
  for (const std::string& key :
       {hex, hex + "\n", " " + hex, "0x" + hex, "\xef\xbb\xbf" + hex, hex.substr(0, 20),
        std::string("00:01:02:03:04:05:06:07"), "/run/secrets/" + hex, std::string("key/\x01")}) {
    EXPECT_NE(polyflake::quoted_path(key).find("not shown as it may be a key"), std::string::npos) << key;
    EXPECT_EQ(polyflake::quoted_path(key).find("0102"), std::string::npos) << key;
  }
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
  const std::string huge(10'000'000, '7');
  EXPECT_ERROR(from_text(huge), text_invalid);
  EXPECT_ERROR(from_text(huge, "hex"), text_invalid);
  EXPECT_ERROR(from_text("1", huge), option_invalid);
  EXPECT_ERROR(to_text(1, "Hex"), option_invalid);
}

}  // namespace
}  // namespace polyflake
