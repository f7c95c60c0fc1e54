// Codecs by the million: what the vectors show of single texts holds for any id, in every codec.
#include <polyflake/codec.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "expect_error.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

// Ids of every length: as many random bits as come next, and 64 of them every second time.
class RandomIds {
 public:
  explicit RandomIds(std::uint64_t seed) : random_(seed) {}
  std::uint64_t next() {
    const std::uint64_t bits = random_();
    return (++count_ & 1) != 0 ? bits : bits >> (count_ / 2 % 64);
  }

 private:
  std::mt19937_64 random_;
  std::uint64_t count_ = 0;
};

Codec with(const std::string& name, std::int64_t width, bool check = false) {
  CodecOptions options;
  options.width = width;
  options.check = check;
  return Codec::named(name, options);
}

// Each of its own width, as short as can be, as wide as can be; and the one with a check symbol.
std::vector<Codec> all_codecs() {
  std::vector<Codec> codecs;
  for (const std::string& name : codec_names()) {
    codecs.push_back(Codec::named(name));
    codecs.push_back(with(name, Codec::named(name).width() == 0 ? Codec::named(name).full_width() : 0));
  }
  codecs.push_back(with("crockford32", 13, true));
  codecs.push_back(with("crockford32", 0, true));
  return codecs;
}

std::string shown(const Codec& codec) {
  return std::string(codec.name()) + " of width " + std::to_string(codec.width()) + (codec.check() ? " checked" : "");
}

// Digits counted out in the way that needs no thought.
std::string counted_out(const Codec& codec, std::uint64_t id) {
  std::string text;
  const std::size_t base = codec.digits().size(), width = static_cast<std::size_t>(codec.width());
  for (std::uint64_t rest = id; rest > 0 || text.empty(); rest /= base) text += codec.digits()[rest % base];
  if (text.size() < width) text.append(width - text.size(), codec.digits()[0]);
  std::reverse(text.begin(), text.end());
  return text;
}

TEST(Codecs, read_back_a_million_random_ids_each) {
  for (const Codec& codec : all_codecs()) {
    RandomIds ids(1);
    std::size_t wrong = 0;
    for (std::size_t i = scaled(1'000'000); i > 0; --i) {
      const std::uint64_t id = ids.next();
      char text[Codec::kLongest];
      wrong += codec.decode({text, codec.encode(id, text)}) != id;
    }
    EXPECT_EQ(wrong, 0u) << shown(codec);
  }
}

TEST(Codecs, write_the_digits_that_division_gives) {
  for (const Codec& codec : all_codecs()) {
    if (codec.check()) continue;
    RandomIds ids(2);
    std::size_t wrong = 0;
    for (std::size_t i = scaled(500'000); i > 0; --i) {
      const std::uint64_t id = ids.next();
      wrong += codec.encode(id) != counted_out(codec, id);
    }
    EXPECT_EQ(wrong, 0u) << shown(codec);
  }
}

TEST(Codecs, write_the_same_into_memory_and_into_a_string) {
  for (const Codec& codec : all_codecs()) {
    RandomIds ids(3);
    for (std::size_t i = scaled(100'000); i > 0; --i) {
      const std::uint64_t id = ids.next();
      char text[Codec::kLongest];
      const std::size_t length = codec.encode(id, text);
      ASSERT_EQ(codec.encode(id), std::string(text, length)) << shown(codec);
    }
  }
}

// Around every power of the base, where digits carry.
TEST(Codecs, read_back_the_neighbours_of_every_power) {
  for (const Codec& codec : all_codecs()) {
    const std::uint64_t base = codec.digits().size();
    for (std::uint64_t power = 1;; power *= base) {
      for (const std::uint64_t id : {power - 1, power, power + 1, power * (base - 1), kMost / power, kMost - power}) {
        ASSERT_EQ(codec.decode(codec.encode(id)), id) << shown(codec);
      }
      if (power > kMost / base) break;
    }
  }
}

TEST(Codecs, sort_texts_of_one_width_like_their_ids) {
  for (const std::string& name : codec_names()) {
    const bool sorts = name != "zbase32" && name != "base58-flickr";
    const Codec codec = with(name, Codec::named(name).full_width());
    RandomIds random(4);
    Ids ids(scaled(200'000));
    for (std::uint64_t& id : ids) id = random.next();
    std::sort(ids.begin(), ids.end());
    std::vector<std::string> texts;
    for (const std::uint64_t id : ids) texts.push_back(codec.encode(id));
    EXPECT_EQ(std::is_sorted(texts.begin(), texts.end()), sorts) << name;
  }
}

// The text of 2^64 - 1 is the last one that is read: the next ones in the order of the digits are 2^64 and more.
TEST(Codecs, refuse_what_follows_the_greatest_id_and_never_wrap_around) {
  for (const Codec& codec : all_codecs()) {
    if (codec.check()) continue;
    const std::string greatest = codec.encode(kMost), digits(codec.digits());
    for (std::size_t i = 0; i < greatest.size(); ++i) {
      const std::size_t value = digits.find(greatest[i]);
      if (value + 1 == digits.size()) continue;
      std::string above = greatest;
      above[i] = digits[value + 1];
      EXPECT_ERROR(codec.decode(above), id_out_of_range);
      for (std::size_t k = i + 1; k < above.size(); ++k) above[k] = digits[0];
      EXPECT_ERROR(codec.decode(above), id_out_of_range);
    }
  }
}

TEST(Codecs, find_every_wrong_character_by_the_check_symbol) {
  const Codec codec = with("crockford32", 13, true);
  RandomIds ids(5);
  for (std::size_t n = scaled(1000); n > 0; --n) {
    const std::string text = codec.encode(ids.next());
    for (std::size_t i = 0; i < codec.encode(0).size() - 1; ++i) {
      for (const char c : codec.digits()) {
        std::string wrong = text;
        if (c == text[i]) continue;
        wrong[i] = c;
        EXPECT_NE(error_of([&] { codec.decode(wrong); }), "none") << wrong;
      }
    }
  }
}

TEST(Codecs, count_the_characters_of_what_they_refuse) {
  EXPECT_NE(error_of([] { Codec::named("base62").decode("\u00e9x"); }).find("of 2 characters, at position 0"),
            std::string::npos);
}

TEST(Codecs, are_shared_by_threads) {
  for (const Codec& codec : all_codecs()) {
    std::atomic<std::size_t> wrong{0};
    together(4, [&](int thread, Ids&) {
      RandomIds ids(static_cast<std::uint64_t>(thread));
      for (std::size_t i = scaled(200'000); i > 0; --i) {
        const std::uint64_t id = ids.next();
        if (codec.decode(codec.encode(id)) != id) ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0u) << shown(codec);
  }
}

TEST(Codecs, have_no_width_beyond_their_own) {
  for (const std::string& name : codec_names()) {
    const std::int64_t full = Codec::named(name).full_width();
    for (const std::int64_t width : {std::int64_t{-1}, full + 1, std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min()}) {
      EXPECT_ERROR(with(name, width), option_invalid);
    }
  }
}

TEST(Codecs, are_values) {
  Codec codec = Codec::named("base62");
  const Codec copy = codec;
  codec = Codec::named("hex");
  EXPECT_EQ(copy.encode(61), "0000000000z");
  EXPECT_EQ(codec.encode(61), "000000000000003d");
}

TEST(Codecs, have_different_names_and_digits) {
  std::set<std::string> names, digits;
  for (const std::string& name : codec_names()) {
    names.insert(name);
    digits.emplace(Codec::named(name).digits());
  }
  EXPECT_EQ(names.size(), codec_names().size());
  EXPECT_EQ(digits.size(), codec_names().size());
}

}  // namespace
}  // namespace polyflake::test
