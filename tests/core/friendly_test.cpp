// Properties of friendly forms that hold for all ids; single cases are in the vectors.
#include <polyflake/friendly.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "expect_error.hpp"

namespace polyflake {
namespace {

TEST(Friendly, the_form_is_that_of_cosid) {
  const Layout layout("timestamp:41 machine:10 sequence:12 tick=1ms epoch=2019-12-24T16:00:00.000Z");
  EXPECT_EQ(friendly(layout, 266300479548424192, 8 * 3600), "20211228202301948-0-0");
  EXPECT_EQ(friendly(layout, 266300479548424192), "20211228122301948-0-0");
}

TEST(Friendly, every_id_of_every_preset_reads_back_at_every_offset) {
  std::mt19937_64 random(20220320);
  for (const std::string& preset : Layout::preset_names()) {
    const Layout layout(preset);
    const Field& top = layout.fields().front();
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t id = random() & ones(top.shift + top.width);
      const auto offset = static_cast<std::int64_t>(random() % (2 * kLargestUtcOffset + 1)) - kLargestUtcOffset;
      const std::string text = friendly(layout, id, offset);
      ASSERT_EQ(from_friendly(layout, text, offset), id) << preset << ' ' << text;
      ASSERT_EQ(from_friendly_of_zone(layout, text, {offset}), id) << preset << ' ' << text;
      ASSERT_EQ(friendly_local_seconds(layout, text), layout.unpack(id).time_ms / 1000 + offset) << text;
    }
  }
}

TEST(Friendly, the_first_and_the_last_id_of_every_preset_read_back_at_the_outermost_offsets) {
  for (const std::string& preset : Layout::preset_names()) {
    const Layout layout(preset);
    const Field& top = layout.fields().front();
    for (const std::uint64_t id : {std::uint64_t{0}, ones(top.shift + top.width)}) {
      for (const std::int64_t offset : {-kLargestUtcOffset, kLargestUtcOffset}) {
        ASSERT_EQ(from_friendly(layout, friendly(layout, id, offset), offset), id) << preset;
      }
    }
  }
}

TEST(Friendly, a_layout_that_ends_at_2_to_the_63_ms_reads_back_there) {
  const Layout layout("timestamp:40 sequence:1 tick=8388607ms epoch=2004-11-03T19:53:47.775Z");
  EXPECT_EQ(layout.unpack(ones(41)).time_ms, INT64_MAX - 8388607);
  EXPECT_EQ(friendly(layout, ones(41)), "2922789940817045307200-1");
  for (const std::int64_t offset : {-kLargestUtcOffset, std::int64_t{0}, kLargestUtcOffset}) {
    EXPECT_EQ(from_friendly(layout, friendly(layout, ones(41), offset), offset), ones(41));
  }
  EXPECT_ERROR(from_friendly(layout, "2922789940817045307201-1"), text_invalid);
  EXPECT_ERROR(from_friendly(layout, "2922789940817071255806-1"), text_invalid);
  EXPECT_ERROR(from_friendly(layout, "2922789940817071255807-1"), field_out_of_range);
  EXPECT_ERROR(from_friendly(layout, "2922790940817071255808-1"), field_out_of_range);
  EXPECT_ERROR(from_friendly(layout, "9999999991231000000000-1"), field_out_of_range);
  EXPECT_ERROR(from_friendly(layout, "99999999991231000000000-1"), field_out_of_range);
  EXPECT_EQ(friendly_local_seconds(layout, "2922789940817071255806-1"), INT64_MAX / 1000);
  EXPECT_ERROR(friendly_local_seconds(layout, "99999999991231000000000-1"), field_out_of_range);
}

TEST(Friendly, texts_of_one_layout_sort_by_time_up_to_the_year_9999) {
  const Layout layout("mastodon");
  std::string last;
  for (std::int64_t time_ms = 0; time_ms < 253'402'300'799'999; time_ms += 86'399'999'993) {
    const std::string text = friendly(layout, layout.first_id(time_ms));
    EXPECT_LT(last, text);
    last = text;
  }
  EXPECT_EQ(friendly(layout, layout.first_id(253'402'300'799'999)), "99991231235959999-0");
  EXPECT_EQ(friendly(layout, layout.first_id(253'402'300'800'000)), "100000101000000000-0");
}

TEST(Friendly, no_text_that_differs_by_one_character_reads_as_the_same_id) {
  const Layout layout("sonyflake");
  const std::uint64_t id = layout.pack(1598400000, 258, 7);
  const std::string right = friendly(layout, id);
  const std::string alphabet = "0123456789-+ .\xc3:T";
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (const char c : alphabet) {
      std::string changed = right;
      changed[at] = c;
      if (changed == right) continue;
      try {
        const std::uint64_t other = from_friendly(layout, changed);
        ASSERT_NE(other, id) << changed;
        ASSERT_EQ(friendly(layout, other), changed);
      } catch (const Error& error) {
        ASSERT_TRUE(error.position().has_value()) << changed;
        ASSERT_LE(*error.position(), changed.size()) << changed;
      }
    }
  }
}

TEST(Friendly, a_time_that_a_zone_has_twice_or_never_is_refused) {
  const Layout layout("polyflake");
  const std::string text = friendly(layout, layout.first_id(1'792'890'000'000), 3600);
  EXPECT_ERROR(from_friendly_of_zone(layout, text, {}), text_invalid);
  EXPECT_ERROR(from_friendly_of_zone(layout, text, {7200, 3600}), text_invalid);
  EXPECT_EQ(from_friendly_of_zone(layout, text, {3600}), layout.first_id(1'792'890'000'000));
}

TEST(Friendly, an_offset_beyond_18_hours_is_refused) {
  const Layout layout("polyflake");
  for (const std::int64_t offset : {-kLargestUtcOffset - 1, kLargestUtcOffset + 1, INT64_MIN, INT64_MAX}) {
    EXPECT_ERROR(friendly(layout, 0, offset), option_invalid);
    EXPECT_ERROR(from_friendly(layout, "20200101000000000-0-0", offset), option_invalid);
    EXPECT_ERROR(from_friendly_of_zone(layout, "20200101000000000-0-0", {offset}), option_invalid);
  }
}

}  // namespace
}  // namespace polyflake
