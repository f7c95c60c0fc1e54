// Properties of Sqids that hold for all lists of ids; single cases are in the vectors.
#include <polyflake/sqids.hpp>

#include <gtest/gtest.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "some_ids.hpp"

namespace polyflake {
namespace {

using test::SomeIds;

SqidsOptions blocking(const std::vector<std::string>& words) {
  SqidsOptions options;
  options.blocklist = words;
  return options;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// The rule of the specification, word by word.
bool has_word(const std::string& text, const std::string& word) {
  const std::string here = lower(text), there = lower(word);
  if (there.size() < 3 || there.size() > here.size()) return false;
  if (there.size() == 3 || here.size() == 3) return here == there;
  const bool at_begin = here.compare(0, there.size(), there) == 0;
  const bool at_end = here.compare(here.size() - there.size(), there.size(), there) == 0;
  if (there.find_first_of("0123456789") != std::string::npos) return at_begin || at_end;
  return here.find(there) != std::string::npos;
}

TEST(Sqids, braces_are_a_list_of_as_many_ids) {
  const Sqids sqids;
  EXPECT_EQ(sqids.encode({}), "");
  EXPECT_EQ(sqids.encode({7}), sqids.encode(7));
  EXPECT_EQ(sqids.encode({1, 2}), sqids.encode(std::vector<std::uint64_t>{1, 2}));
}

TEST(Sqids, what_any_list_is_written_as_is_read_again) {
  SomeIds some(1);
  for (int round = 0; round < 3000; ++round) {
    SqidsOptions options;
    options.alphabet = some.alphabet(3);
    options.min_length = static_cast<std::int64_t>(some.below(256));
    options.blocklist.emplace();
    const Sqids sqids(options);
    const std::vector<std::uint64_t> ids = some.list(20);
    const std::string text = sqids.encode(ids);
    EXPECT_EQ(sqids.decode(text), ids) << options.alphabet;
    EXPECT_GE(text.size(), static_cast<std::size_t>(options.min_length));
    EXPECT_EQ(text.find_first_not_of(options.alphabet), std::string::npos);
  }
}

// The ranges of the specification's test of unique texts, of which every 23rd id; all of a range have other texts since all are
// read again.
TEST(Sqids, neighbours_are_read_again_as_they_were) {
  SqidsOptions filled;
  filled.min_length = 62;
  for (const auto& [options, first, length] : {std::tuple<SqidsOptions, std::uint64_t, std::size_t>{filled, 0, 1},
                                               {{}, 0, 1},
                                               {{}, 100000000, 1},
                                               {{}, 0, 5}}) {
    const Sqids sqids(options);
    for (std::uint64_t id = first; id < first + 1000000; id += 23) {
      const std::vector<std::uint64_t> ids(length, id);
      ASSERT_EQ(sqids.decode(sqids.encode(ids)), ids);
    }
  }
}

TEST(Sqids, one_id_and_a_list_of_it_have_one_text) {
  const Sqids sqids;
  for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{1} << 53, ~std::uint64_t{0}}) {
    EXPECT_EQ(sqids.encode(id), sqids.encode(std::vector<std::uint64_t>{id}));
  }
}

TEST(Sqids, no_text_has_a_word_of_the_blocklist) {
  SomeIds some(2);
  std::vector<std::string> words = {"A0b", "xyz", "q7w", "aaaaa"};
  for (char c = 'a'; c <= 'z'; ++c)
    words.push_back(std::string("a") + c + "e" + c), words.push_back(std::string("1") + c + "X0");
  const Sqids open(blocking({})), sqids(blocking(words)), usual;
  std::size_t avoided = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::vector<std::uint64_t> ids = some.list(6);
    const std::string text = sqids.encode(ids);
    for (const std::string& word : words) ASSERT_FALSE(has_word(text, word)) << text << " has " << word;
    avoided += text == open.encode(ids) ? 0 : 1;
    EXPECT_EQ(sqids.decode(text), ids);
    EXPECT_EQ(usual.decode(usual.encode(ids)), ids);
  }
  EXPECT_GT(avoided, 10U);
}

TEST(Sqids, what_was_written_is_read_after_words_were_added) {
  SomeIds some(3);
  std::vector<std::string> words;
  const std::vector<std::uint64_t> ids = some.list(4);
  std::vector<std::string> written;
  for (int word = 0; word < 62; ++word) {
    const Sqids sqids(blocking(words));
    written.push_back(sqids.encode(ids));
    for (const std::string& text : written) EXPECT_EQ(sqids.decode(text), ids);
    words.push_back(written.back());
  }
  EXPECT_ERROR(Sqids(blocking(words)).encode(ids), option_invalid);
  for (const std::string& text : written) {
    EXPECT_EQ(Sqids(blocking(words)).decode(text), ids);
    if (text != written.front()) {
      EXPECT_ERROR(Sqids(blocking({})).decode(text), text_invalid);
    }
  }
}

TEST(Sqids, no_other_text_has_the_ids) {
  SomeIds some(4);
  for (const std::int64_t min_length : {0, 30}) {
    SqidsOptions options;
    options.min_length = min_length;
    test::expect_no_other_text(Sqids(options), options.alphabet, some);
  }
}

TEST(Sqids, a_text_has_at_most_as_many_ids_as_are_documented) {
  SqidsOptions options;
  options.blocklist.emplace();
  const Sqids sqids(options);
  std::vector<std::uint64_t> ids(Sqids::kMostIds, 1);
  EXPECT_EQ(sqids.decode(sqids.encode(ids)), ids);
  ids.push_back(1);
  EXPECT_ERROR(sqids.encode(ids), option_invalid);
}

TEST(Sqids, the_default_blocklist_is_one_that_can_be_added_to) {
  std::vector<std::string> words = Sqids::default_blocklist();
  EXPECT_EQ(words.size(), 560U);
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
  EXPECT_EQ(Sqids(blocking(words)).encode(4572721), Sqids().encode(4572721));
  words.push_back(Sqids().encode(4572721));
  EXPECT_NE(Sqids(blocking(words)).encode(4572721), Sqids().encode(4572721));
}

#if defined(__GLIBC__)
// No garbage collector knows of the memory behind an object. (A sanitizer's allocator tells nothing, and this passes.)
TEST(Sqids, objects_of_the_default_words_share_them) {
  const Sqids first;
  std::vector<Sqids> many;
  many.reserve(1000);
  const auto before = ::mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i) many.emplace_back();
  EXPECT_LT(::mallinfo2().uordblks - before, 1000U * 1024);
  EXPECT_EQ(many.back().encode(4572721), first.encode(4572721));
}
#endif

}  // namespace
}  // namespace polyflake
