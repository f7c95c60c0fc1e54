// Properties of seals and of key files; single cases, and what AES and FF1 have to give, are in the vectors.
#include <polyflake/codec.hpp>
#include <polyflake/seal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "base/wipe.hpp"
#include "expect_error.hpp"
#include "together.hpp"

namespace polyflake {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
const std::string kKey = "0123456789abcdefghijklmnopqrstuv";

SealOptions with(std::string tweak, std::int64_t bits = 63, std::optional<std::string> key_id = {}) {
  return {std::move(tweak), bits, std::move(key_id)};
}

std::size_t position_of(const Error& error) { return error.position().value_or(999); }

template <class Call>
std::size_t position_in(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return position_of(error);
  }
  return 1000;
}

TEST(Seal, a_million_random_ids_go_in_and_out) {
  std::mt19937_64 random(20200101);
  for (const std::int64_t bits : {63, 64}) {
    const Seal seal(kKey, with("order", bits));
    const std::size_t count = test::scaled(500'000);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t id = random() >> (64 - bits);
      const std::uint64_t sealed = seal.seal(id);
      ASSERT_EQ(seal.unseal(sealed), id);
      ASSERT_TRUE(bits == 64 || sealed < kSignBit);
    }
  }
}

TEST(Seal, ids_in_a_row_get_different_numbers_all_over_the_range) {
  const Seal seal(kKey, with("order"));
  std::set<std::uint64_t> sealed;
  std::array<int, 64> ones{};
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    const std::uint64_t one = seal.seal(820674996357211477 + static_cast<std::uint64_t>(i));
    sealed.insert(one);
    for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>(one >> bit & 1);
  }
  EXPECT_EQ(sealed.size(), std::size_t{kCount});
  EXPECT_EQ(ones[63], 0);
  for (std::size_t bit = 0; bit < 63; ++bit) {
    EXPECT_NEAR(ones[bit], kCount / 2, 1100) << bit;  // seven standard deviations
  }
}

TEST(Seal, one_bit_of_a_key_tweak_or_id_changes_half_of_the_bits) {
  std::string other_key = kKey;
  other_key[31] ^= 1;
  const Seal seal(kKey, with("order", 64));
  const Seal of_other_key(other_key, with("order", 64));
  const Seal of_other_tweak(kKey, with("ordes", 64));
  double changed[3] = {};
  constexpr int kCount = 2000;
  for (std::uint64_t id = 0; id < kCount; ++id) {
    const std::uint64_t sealed = seal.seal(id);
    const std::uint64_t others[] = {of_other_key.seal(id), of_other_tweak.seal(id), seal.seal(id ^ 1)};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::uint64_t bits = sealed ^ others[i]; bits > 0; bits &= bits - 1) changed[i] += 1.0 / kCount;
    }
  }
  for (const double average : changed) EXPECT_NEAR(average, 32, 1);
}

TEST(Seal, threads_share_one) {
  const Seal seal(kKey, with("order"));
  std::vector<std::uint64_t> expected;
  for (std::uint64_t id = 0; id < 5000; ++id) expected.push_back(seal.seal(id));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&count, &expected, own = seal] {
      for (std::uint64_t id = 0; id < expected.size(); ++id)
        count += own.seal(id) != expected[id] || own.unseal(expected[id]) != id;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

TEST(Seal, texts_have_the_full_width_of_every_codec) {
  const Seal seal(kKey, with("order", 64));
  for (const std::string& name : codec_names()) {
    const auto width = static_cast<std::size_t>(Codec::named(name).full_width());
    for (std::uint64_t id = 0; id < 200; ++id) {
      const std::string text = seal.encode(id, name);
      EXPECT_EQ(text.size(), width) << name;
      EXPECT_EQ(seal.decode(text, name), id) << name;
    }
  }
  EXPECT_EQ(seal.encode(1).size(), 11U);
  EXPECT_ERROR(seal.encode(1, "base63"), option_invalid);
  EXPECT_ERROR(seal.decode("1", "base63"), option_invalid);
}

TEST(Seal, bytes_that_are_no_key_are_refused_with_the_way_to_one) {
  for (const std::string& bytes :
       {std::string(16, '\0'), std::string(24, '\xff'), std::string(32, 'k'), std::string("0123456789abcdef"),
        std::string("0123456789ABCDEF01234567"), std::string("00112233445566778899aabbccddeeff")}) {
    EXPECT_ERROR(Seal(bytes), option_invalid);
    EXPECT_NE(test::error_of([&] { Seal{bytes}; }).find("from_file"), std::string::npos);
  }
  EXPECT_NO_THROW(Seal("0123456789abcdeg"));
  EXPECT_NO_THROW(Seal(std::string(31, '\0') + '\x01'));
}

TEST(Seal, what_is_no_option_is_refused) {
  for (const std::size_t size : {0U, 1U, 15U, 17U, 23U, 25U, 31U, 33U, 64U}) {
    EXPECT_ERROR(Seal(std::string(size, 'k')), option_invalid);
  }
  EXPECT_NO_THROW(Seal(kKey, with(std::string(255, 't'))));
  EXPECT_ERROR(Seal(kKey, with(std::string(256, 't'))), option_invalid);
  for (const std::int64_t bits : {-1, 0, 1, 62, 65, 128}) EXPECT_ERROR(Seal(kKey, with("", bits)), option_invalid);
  for (const char* key_id : {"", "k_1", "123456789", "k 1", "k-1", "\xc3\xa9"}) {
    EXPECT_ERROR(Seal(kKey, with("", 63, key_id)), option_invalid);
  }
}

TEST(Seal, no_message_has_the_key) {
  const std::string key = "sEcReTsEcReT";
  EXPECT_EQ(test::error_of([&] { Seal(key + key + key); }).find("sEcReT"), std::string::npos);
}

TEST(Seal, of_63_bits_refuses_what_does_not_fit_a_bigint) {
  const Seal seal(kKey, with("order"));
  EXPECT_ERROR(seal.seal(kSignBit), id_out_of_range);
  EXPECT_ERROR(seal.unseal(kSignBit), id_out_of_range);
  EXPECT_NO_THROW(seal.unseal(kSignBit - 1));
  for (const std::string& name : codec_names()) {
    CodecOptions options;
    options.width = Codec::named(name).full_width();
    const Codec codec = Codec::named(name, options);
    EXPECT_NO_THROW(seal.decode(codec.encode(kSignBit - 1), name)) << name;
    EXPECT_ERROR(seal.decode(codec.encode(kSignBit), name), id_out_of_range);
  }
  EXPECT_EQ(position_in([&] { seal.decode("9223372036854775808", "decimal"); }), 19U);  // a digit more was due
  EXPECT_EQ(position_in([&] { seal.decode("09223372036854775808", "decimal"); }), 19U);
  EXPECT_EQ(position_in([&] { seal.decode("8000000000000000", "hex"); }), 0U);
}

TEST(Seal, positions_count_from_the_front_of_the_key_id) {
  const Seal seal(kKey, with("order", 63, "k1"));
  const std::string text = seal.encode(7);
  EXPECT_EQ(text.substr(0, 3), "k1_");
  EXPECT_EQ(text.size(), 14U);
  EXPECT_EQ(seal.decode(text), 7U);
  EXPECT_EQ(position_in([&] { seal.decode(""); }), 0U);
  EXPECT_EQ(position_in([&] { seal.decode("k"); }), 1U);
  EXPECT_EQ(position_in([&] { seal.decode("k2_" + text.substr(3)); }), 1U);
  EXPECT_EQ(position_in([&] { seal.decode(text.substr(3)); }), 0U);
  EXPECT_EQ(position_in([&] { seal.decode(text.substr(0, 13)); }), 13U);
  EXPECT_EQ(position_in([&] { seal.decode(text + "0"); }), 14U);
  EXPECT_EQ(position_in([&] { seal.decode("k1_0000000000-"); }), 13U);
  EXPECT_EQ(position_in([&] { seal.decode("k1_zzzzzzzzzzz"); }), 3U);
  EXPECT_EQ(position_in([&] { Seal(kKey).decode(text); }), 2U);
}

TEST(SealRing, seals_by_the_first_and_opens_by_the_one_that_the_text_names) {
  const Seal oldest(kKey, with("order"));
  const Seal old(std::string(15, '1') + 'o', with("order", 63, "1"));
  const Seal current(std::string(23, '2') + 'o', with("order", 63, "2"));
  const SealRing ring({current, old, oldest});
  EXPECT_EQ(ring.encode(7), current.encode(7));
  EXPECT_EQ(ring.seal(7), current.seal(7));
  for (const Seal& seal : ring.seals()) {
    EXPECT_EQ(ring.decode(seal.encode(7)), 7U);
    EXPECT_EQ(ring.unseal(seal.seal(7), seal.key_id()), 7U);
  }
}

TEST(SealRing, refuses_key_ids_that_it_does_not_have) {
  const Seal one(kKey, with("order", 63, "1"));
  const SealRing ring({one});
  const std::string text = one.encode(7);
  EXPECT_ERROR(ring.unseal(7, "2"), option_invalid);
  EXPECT_ERROR(ring.unseal(7, std::nullopt), option_invalid);
  for (const std::string& wrong : {"2" + text.substr(1), text.substr(2), "_" + text, std::string()}) {
    EXPECT_ERROR(ring.decode(wrong), text_invalid);
    EXPECT_EQ(position_in([&] { ring.decode(wrong); }), 0U) << wrong;
  }
  EXPECT_EQ(position_in([&] { ring.decode("1_0000000000-"); }), 12U);
}

TEST(SealRing, has_one_seal_at_least_each_key_id_once_and_one_tweak) {
  const Seal one(kKey, with("order", 63, "1"));
  const Seal none(kKey, with("order"));
  EXPECT_ERROR(SealRing({}), option_invalid);
  EXPECT_ERROR(SealRing({one, none, one}), option_invalid);
  EXPECT_ERROR(SealRing({none, one, none}), option_invalid);
  EXPECT_ERROR(SealRing({one, Seal(kKey, with("user"))}), option_invalid);
}

TEST(Seal, a_message_has_the_position_of_the_error) {
  const Seal seal(kKey, with("order", 63, "k1"));
  EXPECT_NE(test::error_of([&] { seal.decode("k1_0000-000000"); }).find("at position 7, counted"), std::string::npos);
  EXPECT_NE(test::error_of([&] { SealRing({seal}).decode("k1_zzzzzzzzzzz"); }).find("at position 3, counted"),
            std::string::npos);
}

TEST(SealRing, does_not_repeat_a_key_that_was_given_for_its_id) {
  const std::string hex = "c0ffeec0ffeec0ffeec0ffeec0ffee42";
  EXPECT_EQ(test::error_of([&] { SealRing({Seal(kKey)}).unseal(7, hex); }).find("c0ffee"), std::string::npos);
}

class KeyFile : public testing::Test {
 protected:
  KeyFile() { write("000102030405060708090a0b0c0d0e0f\n"); }
  ~KeyFile() override { std::filesystem::remove(path_); }

  void write(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }

  std::string refusal() const {
    return test::error_of([this] { Seal::from_file(path_.string()); });
  }

  const std::filesystem::path path_ = std::filesystem::absolute("seal_test.key");
};

TEST_F(KeyFile, has_the_key_in_hex) {
  const std::string all("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37", 32);
  const std::string digits = "000102030405060708090a0B0c0D0e0f101112131415161718191A1b1c1d1e1f";
  for (const std::size_t size : {16U, 24U, 32U}) {
    for (const char* end : {"", "\n", "\r\n"}) {
      write(digits.substr(0, 2 * size) + end);
      EXPECT_EQ(Seal::from_file(path_.string(), with("order")).seal(7),
                Seal(all.substr(0, size), with("order")).seal(7));
    }
  }
}

TEST_F(KeyFile, in_any_other_form_is_refused_with_the_position_and_without_its_content) {
  const std::string digits(64, 'c');
  const std::pair<std::string, std::size_t> wrong[] = {
      {"", 0},
      {"\n", 0},
      {digits.substr(0, 31), 31},
      {digits.substr(0, 33), 33},
      {digits.substr(0, 40), 40},
      {digits.substr(0, 62), 62},
      {digits + "c", 64},
      {digits + "cc", 64},
      {digits + "\n\n", 64},
      {digits + "\r", 64},
      {digits + " ", 64},
      {" " + digits, 0},
      {"0x" + digits.substr(2), 1},
      {digits.substr(0, 31) + "g", 31},
      {std::string(32, '\0'), 0},
      {digits + digits, 64},
      {std::string(100'000, 'c'), 64},
  };
  for (const auto& [text, position] : wrong) {
    write(text);
    EXPECT_EQ(test::code_in(refusal()), "text_invalid") << text;
    EXPECT_EQ(position_in([this] { Seal::from_file(path_.string()); }), position) << text;
    EXPECT_EQ(refusal().find("ccc"), std::string::npos) << refusal();
  }
}

TEST_F(KeyFile, that_cannot_be_read_is_refused_by_its_name) {
  for (const std::string& path : {std::string("no_such_folder/key"), std::string("."), std::string()}) {
    EXPECT_ERROR(Seal::from_file(path), option_invalid);
  }
  EXPECT_NE(test::error_of([] { Seal::from_file("no_such_folder/key"); }).find("'.../key'"), std::string::npos);
  EXPECT_ERROR(Seal::from_file(path_.string() + std::string(1, '\0')), option_invalid);
  for (const std::string& key : {std::string(32, 'a'), std::string(48, 'B'), std::string(64, '7'),
                                 std::string(16, '\x80'), std::string(24, '\x01'), std::string(32, '\xff')}) {
    const std::string said = test::error_of([&] { Seal::from_file(key); });
    EXPECT_NE(said.find("not shown as it may be a key"), std::string::npos) << said;
    EXPECT_EQ(said.find(key.substr(0, 4)), std::string::npos) << said;
    EXPECT_EQ(test::error_of([&] { Seal(std::string(32, 'k'), with("", 63, key)); }).find(key.substr(0, 8)),
              std::string::npos);
  }
}

TEST_F(KeyFile, has_a_seal_of_its_options) {
  EXPECT_EQ(Seal::from_file(path_.string(), with("order", 64, "k1")).key_id(), "k1");
  EXPECT_ERROR(Seal::from_file(path_.string(), with("order", 65)), option_invalid);
}

#ifndef _WIN32
TEST_F(KeyFile, that_others_may_read_or_write_is_refused_but_a_group_may_read) {
  using std::filesystem::perms;
  for (const int mode : {0600, 0400, 0640, 0440, 0700}) {
    std::filesystem::permissions(path_, static_cast<perms>(mode));
    EXPECT_EQ(refusal(), "none") << mode;
  }
  for (const int mode : {0604, 0602, 0644, 0620, 0660, 0601, 0666}) {
    std::filesystem::permissions(path_, static_cast<perms>(mode));
    EXPECT_EQ(test::code_in(refusal()), "option_invalid") << mode;
  }
}

TEST_F(KeyFile, that_is_a_pipe_or_a_device_is_refused_at_once) {
  const std::string pipe = path_.string() + ".pipe";
  ASSERT_EQ(std::system(("mkfifo -m 600 " + pipe).c_str()), 0);
  EXPECT_ERROR(Seal::from_file(pipe), option_invalid);
  std::filesystem::remove(pipe);
  EXPECT_ERROR(Seal::from_file("/dev/zero"), option_invalid);
}
#endif

TEST(Wipe, leaves_zeros) {
  char secret[] = "secret";
  wipe(secret, sizeof secret);
  for (const char c : secret) EXPECT_EQ(c, 0);
}

}  // namespace
}  // namespace polyflake
