// How well explain() ranks ids whose system is known, and what holds for every ranking.
#include <polyflake/explain.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "paths.hpp"

namespace polyflake {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kYear2026 = 1'767'225'600'000;

struct Published {
  std::string name;
  std::uint64_t id;
  std::int64_t time_ms;
  std::set<std::string> presets;  // those with exactly its bits, tick and epoch; names of node fields aside
};

// The widths of timestamp, node fields in a row, and sequence, in order.
std::vector<std::pair<char, unsigned>> shape(const std::vector<std::pair<std::string, unsigned>>& fields) {
  std::vector<std::pair<char, unsigned>> shape;
  for (const auto& [name, width] : fields) {
    const bool counts = name == "sequence" || name == "increment" || name == "counter";
    const char kind = name == "timestamp" ? 't' : counts ? 's' : 'n';
    if (kind == 'n' && !shape.empty() && shape.back().first == 'n') {
      shape.back().second += width;
    } else {
      shape.emplace_back(kind, width);
    }
  }
  return shape;
}

std::set<std::string> presets_of(const Json& published) {
  std::vector<std::pair<std::string, unsigned>> given;
  for (const Json& field : published.at("bits_msb_first")) given.emplace_back(field.at(0), field.at(1));
  std::set<std::string> presets;
  for (const std::string& name : Layout::preset_names()) {
    const Layout layout(name);
    std::vector<std::pair<std::string, unsigned>> fields;
    for (const Field& field : layout.fields()) fields.emplace_back(field.name, field.width);
    if (shape(fields) == shape(given) && layout.epoch_ms() == published.at("epoch_ms") &&
        layout.tick_ms() == published.at("tick_ms")) {
      presets.insert(name);
    }
  }
  return presets;
}

// Ids of systems that are presets, but for those of the first day and of the future, which tests of those systems made up.
std::vector<Published> published_ids() {
  std::ifstream file(std::string(test::kVectors) + "published-ids.json");
  std::vector<Published> ids;
  const Json document = Json::parse(file);
  for (const Json& published : document.at("vectors")) {
    if (!published.contains("bits_msb_first") || !published.at("expected").contains("unix_ms")) continue;
    const std::set<std::string> presets = presets_of(published);
    const auto time_ms = published.at("expected").at("unix_ms").get<std::int64_t>();
    const bool made_up = time_ms > kYear2026 || time_ms - published.at("epoch_ms").get<std::int64_t>() < kDay;
    if (presets.empty() || made_up) continue;
    ids.push_back({published.at("name"), std::stoull(published.at("id").get<std::string>()), time_ms, presets});
  }
  return ids;
}

struct Ranked {
  std::size_t ids = 0;
  std::size_t first = 0;
  std::size_t among_three = 0;
};

template <class Now>
Ranked ranked(const char* asked, const Now& now_ms) {
  Ranked ranked;
  for (const Published& published : published_ids()) {
    const auto explanations = explain(published.id, now_ms(published));
    const auto right = std::find_if(explanations.begin(), explanations.end(),
                                    [&](const Explanation& e) { return published.presets.count(e.preset) != 0; });
    const auto place = right - explanations.begin();
    ++ranked.ids;
    ranked.first += place == 0 ? 1 : 0;
    ranked.among_three += place < 3 ? 1 : 0;
    EXPECT_TRUE(right->plausible()) << published.name;
    EXPECT_EQ(right->parts->time_ms, published.time_ms) << published.name;
  }
  std::printf("explain, asked %s: %zu published ids, %zu first, %zu among the first three\n", asked, ranked.ids,
              ranked.first, ranked.among_three);
  return ranked;
}

TEST(Explain, published_ids_that_are_asked_about_in_the_year_they_were_made_are_all_among_the_first_three) {
  for (const auto& [asked, days] : {std::pair("within a month", 30), std::pair("within a year", 365)}) {
    const Ranked soon = ranked(asked, [days = days](const Published& id) { return id.time_ms + days * kDay; });
    EXPECT_EQ(soon.ids, 24U);
    EXPECT_GE(soon.first, 19U) << asked;
    EXPECT_EQ(soon.among_three, soon.ids) << asked;
  }
}

TEST(Explain, most_published_ids_are_among_the_first_three_many_years_later) {
  const Ranked late = ranked("in 2026", [](const Published&) { return kYear2026; });
  EXPECT_EQ(late.ids, 24U);
  EXPECT_GE(late.first, 6U);
  EXPECT_GE(late.among_three, 17U);
}

TEST(Explain, every_preset_explains_once_and_the_plausible_ones_stand_first) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t id = random() >> (random() % 64);
    const auto explanations = explain(id, kYear2026);
    std::vector<std::string> names;
    bool others = false;
    for (const Explanation& explanation : explanations) {
      names.push_back(explanation.preset);
      if (!explanation.plausible()) others = true;
      ASSERT_EQ(explanation.plausible(), !others) << id;
      ASSERT_EQ(explanation.parts.has_value(), explanation.why_not != Implausible::too_wide) << id;
      if (explanation.parts) {
        ASSERT_EQ(Layout::preset(explanation.preset).pack(*explanation.parts), id);
      }
    }
    std::vector<std::string> presets = Layout::preset_names();
    std::sort(names.begin(), names.end());
    std::sort(presets.begin(), presets.end());
    ASSERT_EQ(names, presets);
  }
}

TEST(Explain, a_new_id_of_every_preset_is_plausible_for_that_preset) {
  for (const std::string& preset : Layout::preset_names()) {
    const Layout layout(preset);
    const std::int64_t time_ms = preset == "baidu" ? 1'600'000'000'000 : kYear2026;
    for (const Explanation& explanation : explain(layout.first_id(time_ms), time_ms)) {
      if (explanation.preset == preset) {
        EXPECT_TRUE(explanation.plausible()) << name_of(explanation.why_not.value());
      }
    }
  }
}

TEST(Explain, a_present_at_the_ends_of_its_type_is_no_trouble) {
  EXPECT_FALSE(explain(1, INT64_MIN).front().plausible());
  EXPECT_TRUE(explain(std::uint64_t{1} << 52, INT64_MAX).front().plausible());
}

}  // namespace
}  // namespace polyflake
