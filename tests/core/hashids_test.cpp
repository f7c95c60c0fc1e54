// Properties of Hashids that hold for all lists of ids; single cases are in the vectors.
#include <polyflake/hashids.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expect_error.hpp"
#include "some_ids.hpp"

namespace polyflake {
namespace {

using test::SomeIds;

TEST(Hashids, braces_are_a_list_of_as_many_ids) {
  const Hashids hashids;
  EXPECT_EQ(hashids.encode({}), "");
  EXPECT_EQ(hashids.encode({7}), hashids.encode(7));
  EXPECT_EQ(hashids.encode({1, 2}), hashids.encode(std::vector<std::uint64_t>{1, 2}));
}

TEST(Hashids, what_any_list_is_written_as_is_read_again) {
  SomeIds some(5);
  for (int round = 0; round < 3000; ++round) {
    const std::string alphabet = some.alphabet(16), salt = some.alphabet(0);
    const auto min_length = static_cast<std::int64_t>(some.below(1025));
    const Hashids hashids(salt, min_length, alphabet);
    const std::vector<std::uint64_t> ids = some.list(20);
    const std::string text = hashids.encode(ids);
    EXPECT_EQ(hashids.decode(text), ids) << alphabet << " " << salt;
    EXPECT_GE(text.size(), static_cast<std::size_t>(min_length));
    EXPECT_EQ(text.find_first_not_of(alphabet), std::string::npos);
  }
}

TEST(Hashids, neighbours_are_read_again_as_they_were) {
  const Hashids hashids("this is my salt");
  for (std::uint64_t id = 0; id < 300000; ++id) {
    ASSERT_EQ(hashids.decode(hashids.encode(id)), std::vector<std::uint64_t>{id});
  }
}

TEST(Hashids, one_id_and_a_list_of_it_have_one_text) {
  const Hashids hashids;
  for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{1} << 53, ~std::uint64_t{0}}) {
    EXPECT_EQ(hashids.encode(id), hashids.encode(std::vector<std::uint64_t>{id}));
  }
}

TEST(Hashids, no_other_text_has_the_ids) {
  SomeIds some(6);
  for (const std::int64_t min_length : {0, 40}) {
    test::expect_no_other_text(Hashids("salt", min_length), Hashids::kAlphabet, some);
  }
}

TEST(Hashids, a_text_has_at_most_as_many_ids_as_are_documented) {
  const Hashids hashids;
  std::vector<std::uint64_t> ids(Hashids::kMostIds, 1);
  EXPECT_EQ(hashids.decode(hashids.encode(ids)), ids);
  ids.push_back(1);
  EXPECT_ERROR(hashids.encode(ids), option_invalid);
}

TEST(Hashids, a_salt_counts_as_far_as_the_alphabet_is_long) {
  const std::string salt(62, 's');
  EXPECT_EQ(Hashids(salt + "one").encode(1), Hashids(salt + "another").encode(1));
  EXPECT_NE(Hashids("one").encode(1), Hashids("another").encode(1));
}

TEST(Hashids, a_salt_that_is_not_utf8_is_refused) {
  for (const char* salt :
       {"\x80", "a\xc3", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xf0\x8f\xbf\xbf"}) {
    EXPECT_ERROR(Hashids{salt}, option_invalid);
  }
  for (const char* salt : {"\xc2\x80", "\xdf\xbf", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(Hashids(salt).decode(Hashids(salt).encode(1)), std::vector<std::uint64_t>{1});
  }
}

}  // namespace
}  // namespace polyflake
