// Properties of layouts that hold for all of them; single cases are in the vectors.
#include <polyflake/layout.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "expect_error.hpp"

namespace polyflake {
namespace {

class AnyLayout {
 public:
  explicit AnyLayout(std::uint64_t seed) : random_(seed) {}

  std::uint64_t number(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random_);
  }

  // Fields in any order, 2 to 64 bits in all, the timestamp at most 52 of them.
  std::string text() {
    unsigned left = 64;
    std::vector<std::string> words;
    const auto add = [&](const std::string& name, std::uint64_t most) {
      const auto width = static_cast<unsigned>(number(1, std::min<std::uint64_t>(most, left)));
      left -= width;
      words.push_back(name + ":" + std::to_string(width));
    };
    add("timestamp", 52);
    add("sequence", std::min(left, 32U));
    for (std::uint64_t i = number(0, 4); i > 0 && left > 0; --i) add("n" + std::to_string(i), 32);
    std::shuffle(words.begin(), words.end(), random_);
    constexpr const char* kTicks[] = {"1ms", "10ms", "999ms", "1s", "2s"};
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text + "tick=" + kTicks[number(0, 4)] + " epoch=20" + std::to_string(number(10, 37)) +
           "-02-28T23:59:59.999Z";
  }

 private:
  std::mt19937_64 random_;
};

TEST(Layouts, a_million_random_ids_of_random_layouts_round_trip) {
  AnyLayout any(20200101);
  for (int i = 0; i < 10'000; ++i) {
    const Layout layout(any.text());
    ASSERT_EQ(Layout::parse(layout.text()), layout);
    for (int j = 0; j < 100; ++j) {
      const std::uint64_t tick = any.number(0, ones(layout.timestamp().width));
      const std::uint64_t node = any.number(0, ones(layout.node_width()));
      const std::uint64_t sequence = any.number(0, ones(layout.sequence().width));
      const std::uint64_t id = layout.pack(tick, node, sequence);
      const Parts parts = layout.unpack(id);
      ASSERT_EQ(parts.tick, tick) << layout.text();
      ASSERT_EQ(parts.node, node) << layout.text();
      ASSERT_EQ(parts.sequence, sequence) << layout.text();
      ASSERT_EQ(parts.time_ms, layout.time_of(tick)) << layout.text();
      ASSERT_EQ(layout.pack(parts), id) << layout.text();
      ASSERT_EQ(id & layout.node_mask(), layout.node_bits(node)) << layout.text();
    }
  }
}

TEST(Layouts, fields_are_placed_most_significant_first_without_gaps) {
  AnyLayout any(7);
  for (int i = 0; i < 1000; ++i) {
    const Layout layout(any.text());
    unsigned shift = 0;
    for (auto field = layout.fields().rbegin(); field != layout.fields().rend(); ++field) {
      ASSERT_EQ(field->shift, shift) << layout.text();
      shift += field->width;
    }
    ASSERT_LE(shift, 64U);
  }
}

TEST(Layouts, every_id_of_a_tick_lies_between_its_first_and_its_last) {
  AnyLayout any(11);
  for (int i = 0; i < 2000; ++i) {
    const Layout layout(any.text());
    if (layout.fields()[0].name != "timestamp") continue;  // elsewhere the ids of a tick are not in a row
    const std::uint64_t tick = any.number(0, ones(layout.timestamp().width));
    const std::int64_t time_ms = layout.time_of(tick) + static_cast<std::int64_t>(any.number(
                                                            0, static_cast<std::uint64_t>(layout.tick_ms() - 1)));
    const std::uint64_t id =
        layout.pack(tick, any.number(0, ones(layout.node_width())), any.number(0, ones(layout.sequence().width)));
    ASSERT_LE(layout.first_id(time_ms), id);
    ASSERT_GE(layout.last_id(time_ms), id);
    ASSERT_EQ(layout.unpack(layout.first_id(time_ms)).tick, tick);
    ASSERT_EQ(layout.unpack(layout.last_id(time_ms)).tick, tick);
    ASSERT_EQ(layout.tick_at(time_ms), tick);
  }
}

TEST(Layouts, values_one_beyond_a_field_are_refused_not_masked) {
  AnyLayout any(13);
  for (int i = 0; i < 2000; ++i) {
    const Layout layout(any.text());
    EXPECT_ERROR(layout.pack(ones(layout.timestamp().width) + 1, 0, 0), field_out_of_range);
    EXPECT_ERROR(layout.pack(0, 0, ones(layout.sequence().width) + 1), field_out_of_range);
    if (layout.node_width() < 64) EXPECT_ERROR(layout.pack(0, ones(layout.node_width()) + 1, 0), field_out_of_range);
    for (const Field& field : layout.node_fields()) {
      const auto largest = static_cast<std::int64_t>(ones(field.width));
      EXPECT_EQ(layout.node_bits(layout.node_with(field.name, largest)), ones(field.width) << field.shift);
      EXPECT_ERROR(layout.node_with(field.name, largest + 1), field_out_of_range);
      EXPECT_ERROR(layout.node_with(field.name, -1), field_out_of_range);
    }
  }
}

TEST(Layouts, a_tick_of_any_length_is_accepted_where_the_timestamp_can_hold_it) {
  const Layout layout("timestamp:1 sequence:1 tick=2000000000000000001ms epoch=1970-01-01T00:00:00.000Z");
  EXPECT_EQ(layout.tick_ms(), 2'000'000'000'000'000'001);
  EXPECT_EQ(layout.time_of(1), 2'000'000'000'000'000'001);
}

TEST(Layouts, reject_every_text_that_differs_by_one_character_or_read_it_back_unchanged) {
  const std::string canonical = Layout("twitter").text();
  const std::string alphabet = "09:=. \tZTms_aA-+\xc3\0";
  for (std::size_t at = 0; at < canonical.size(); ++at) {
    for (const char c : alphabet) {
      std::string changed = canonical;
      changed[at] = c;
      try {
        ASSERT_EQ(Layout::parse(changed).text(), changed);
      } catch (const Error& error) {
        ASSERT_TRUE(error.code() == ErrorCode::layout_invalid || error.code() == ErrorCode::layout_too_wide) << changed;
      }
    }
  }
}

TEST(Layouts, equal_texts_have_equal_fingerprints_and_presets_all_differ_by_text) {
  EXPECT_EQ(Layout("polyflake").fingerprint(), Layout(Layout("polyflake").text()).fingerprint());
  EXPECT_NE(Layout("polyflake").fingerprint(), Layout("twitter").fingerprint());
  EXPECT_EQ(Layout::preset_names().size(), 15U);
  EXPECT_EQ(Layout::preset_names().front(), "polyflake");
}

}  // namespace
}  // namespace polyflake
