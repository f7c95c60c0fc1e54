// Kinds beside the snowflake: what their ids say, their clock, their random bits, and how a program opens them by name.
#include <polyflake/error.hpp>
#include <polyflake/kind_text.hpp>
#include <polyflake/kinds.hpp>
#include <polyflake/object_ids.hpp>
#include <polyflake/uuid4.hpp>
#include <polyflake/uuid7.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "kinds/entropy.hpp"
#include "kinds/held_clock.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000;
constexpr std::int64_t kHour = 3'600'000;

// Big endian, as the option `entropy` has them.
std::string words(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t value : values) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  }
  return bytes;
}

struct ManualUuid7 {
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(kNow);
  Uuid7 ids;

  explicit ManualUuid7(std::uint64_t key = 0, std::size_t tails = 1000) : ids(options(clock, key, tails)) {}
  static Uuid7Options options(const std::shared_ptr<ManualClock>& clock, std::uint64_t key, std::size_t tails) {
    Uuid7Options options;
    options.clock = clock;
    options.entropy = words({key}) + std::string(8 * tails, '\0');
    return options;
  }
};

TEST(Uuid7s, begin_a_tick_where_key_and_tick_say) {
  EXPECT_EQ(ManualUuid7(0).ids.decode(ManualUuid7(0).ids.next_id()).sequence, 26910U);
  EXPECT_EQ(ManualUuid7(1).ids.decode(ManualUuid7(1).ids.next_id()).sequence, 14394U);
}

TEST(Uuid7s, are_of_version_7_and_say_when_they_were_made) {
  Uuid7 ids;
  const std::int64_t before = SystemClock::read_ms() - 1;
  const Uuid id = ids.next_id();
  const std::string text = id.text();
  EXPECT_EQ(id.version(), 7);
  EXPECT_NE(std::string("89ab").find(text[19]), std::string::npos) << text;
  EXPECT_GE(ids.decode(id).time_ms, before);
  EXPECT_LE(ids.decode(id).time_ms, SystemClock::read_ms());
  EXPECT_EQ(Uuid::parse(text), id);
}

TEST(Uuid7s, rise_where_the_clock_steps_back_and_are_held_until_it_has_caught_up) {
  ManualUuid7 manual;
  Uuid former = manual.ids.next_id();
  const auto rises = [&] {
    const Uuid id = manual.ids.next_id();
    const bool above = former < id;
    former = id;
    return above;
  };
  manual.clock->set(kNow - kHour);
  EXPECT_TRUE(rises());
  EXPECT_EQ(manual.ids.stats().held_ms, kHour);
  manual.clock->advance(10);
  EXPECT_TRUE(rises());
  EXPECT_EQ(manual.ids.decode(former).time_ms, kNow + 10) << "at the pace of the clock";
  manual.clock->advance(-100);
  EXPECT_TRUE(rises());
  EXPECT_EQ(manual.ids.stats().held_ms, kHour + 100);
  manual.clock->set(kNow + kHour);
  EXPECT_TRUE(rises());
  EXPECT_EQ(manual.ids.stats().held_ms, 0);
  EXPECT_EQ(manual.ids.decode(former).time_ms, kNow + kHour);
}

TEST(Uuid7s, are_refused_where_the_clock_is_set_back_by_more_than_24_days) {
  ManualUuid7 manual;
  manual.ids.next_id();
  manual.clock->advance(-HeldClock::kLongestMs);
  EXPECT_NO_THROW(manual.ids.next_id());
  manual.clock->advance(-1);
  EXPECT_ERROR(manual.ids.next_id(), clock_behind);  // 1 ms could be waited for, but there is no end to it
  manual.clock->advance(1);
  EXPECT_NO_THROW(manual.ids.next_id());
  manual.clock->advance(-100);
  EXPECT_ERROR(manual.ids.next_id(), clock_behind);
  manual.clock->set(kNow + 1);
  EXPECT_NO_THROW(manual.ids.next_id());
}

TEST(Generators, say_what_their_ids_mean_as_other_sources_do) {
  Options options;
  options.worker = 7;
  options.layout = "twitter";
  options.clock = std::make_shared<ManualClock>(kNow);
  Generator ids(options);
  const std::uint64_t id = ids.next_id();
  EXPECT_EQ(ids.decode(id).time_ms, kNow);
  EXPECT_EQ(ids.decode(id).node, 7U);
  EXPECT_EQ(ids.first_id(kNow), ids.layout().first_id(kNow));
  EXPECT_EQ(ids.last_id(kNow), ids.layout().last_id(kNow));
}

// Ids of which some are neighbours, some the same, and some of another tick or node, spelled at once and one by one.
TEST(Uuid7s, of_many_are_those_of_each) {
  for (const char* const text : {kUuid7Layout, "polyflake", "twitter", "discord",
                                 "timestamp:48 sequence:12 tick=1ms epoch=1970-01-01T00:00:00.000Z",
                                 "timestamp:41 sequence:9 worker:8 tick=1ms epoch=2020-01-01T00:00:00.000Z",
                                 "timestamp:45 sequence:1 tick=1ms epoch=1970-01-01T00:00:00.000Z"}) {
    const Layout layout(text);
    const Uuid7Bits bits(layout);
    std::vector<std::uint64_t> ids, tails;
    std::uint64_t chance = 1;
    const std::uint64_t step = std::uint64_t{1} << layout.sequence().shift;
    for (std::uint64_t id = layout.first_id(kNow + 8 * 365 * 24 * kHour); ids.size() < 30'000;) {
      chance = chance * 6364136223846793005 + 1442695040888963407;
      for (std::uint64_t run = chance >> 56; run > 0; --run, id += step) {
        ids.push_back(id);
        tails.push_back(chance * run);
      }
      if (chance >> 40 & 1) id += chance >> 50;                         // a gap, another node or another tick
      if (chance >> 41 & 1) ids.resize(ids.size() + chance % 100, id);  // the same again
      tails.resize(ids.size(), chance);
    }
    std::vector<Uuid> many(ids.size());
    bits.spell(ids.data(), tails.data(), ids.size(), many.data());
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(many[i].text(), bits.uuid_of(ids[i], tails[i]).text()) << i;
  }
}

TEST(Uuid7s, of_two_sources_of_a_process_share_one_state) {
  Uuid7 one, other;
  const Uuid first = one.next_id(), second = other.next_id(), third = one.next_id();
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
}

TEST(Uuid7s, of_a_worker_are_its_ids_with_a_tail) {
  const FreshHome home;
  Uuid7Options options;
  options.worker = 77;
  options.layout = "twitter";
  Uuid7 ids(options);
  const Uuid7Parts parts = ids.decode(ids.next_id());
  EXPECT_EQ(parts.node, 77U);
  const Layout layout = "twitter";
  const std::uint64_t id = layout.pack(parts.tick, parts.node, parts.sequence);
  const Uuid plain = layout.to_uuid(id);
  EXPECT_EQ(layout.from_uuid(plain), id);
  EXPECT_EQ(ids.decode(plain).tail, 0U);
}

TEST(Uuid7s, renew_the_window_of_their_worker) {
  const FreshHome home;
  Uuid7Options options;
  options.worker = "host:5";
  Uuid7 certain(options), likely;
  EXPECT_EQ(certain.worker(), 5U);
  EXPECT_EQ(likely.worker(), 0U);
  EXPECT_NO_THROW(certain.renew());
  EXPECT_NO_THROW(likely.renew());
}

TEST(Uuid7s, of_a_closed_source_are_refused_in_every_call) {
  Uuid7 ids;
  ids.close();
  Uuid one;
  EXPECT_TRUE(ids.closed());
  EXPECT_ERROR(ids.next_id(), generator_closed);
  EXPECT_ERROR(ids.try_next_id(), generator_closed);
  EXPECT_ERROR(ids.fill(&one, 1), generator_closed);
  EXPECT_ERROR(ids.next_id_string(), generator_closed);
}

TEST(Uuid7s, need_ticks_of_a_ms_and_a_worker_for_a_layout) {
  Uuid7Options options;
  options.layout = "polyflake";
  EXPECT_ERROR(Uuid7(options), option_invalid);
  options.worker = 1;
  options.layout = "sonyflake";
  EXPECT_ERROR(Uuid7(options), layout_invalid);
  options.layout = "timestamp:48 worker:3 sequence:12 tick=1ms epoch=2020-01-01T00:00:00.000Z";
  EXPECT_ERROR(Uuid7(options), layout_invalid);
}

TEST(ObjectIdsOfAProcess, rise_and_share_their_process_bytes) {
  ObjectIds one, other;
  ObjectId former = one.next_id();
  const std::uint64_t process = one.decode(former).process;
  for (const ObjectId& id : other.next_ids(1000)) {
    EXPECT_LT(former, id);
    EXPECT_EQ(other.decode(id).process, process);
    former = id;
  }
  EXPECT_EQ(ObjectId::parse(former.text()), former);
}

TEST(ObjectIdsOfAProcess, carry_a_full_counter_into_the_next_second) {
  ObjectIdOptions options;
  const auto clock = std::make_shared<ManualClock>(kNow);
  options.clock = clock;
  options.entropy = words({0, 0xABCDEF0123});
  options.max_wait_ms = 2000;
  ObjectIds ids(options);
  ObjectId former = ids.next_id();
  const std::uint32_t begin = ids.decode(former).counter;
  const std::vector<ObjectId> rest = ids.next_ids((std::size_t{1} << 24) - begin);
  EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end()));
  EXPECT_EQ(ids.decode(rest[rest.size() - 2]).counter, 0xffffffU);
  const ObjectIdParts last = ids.decode(rest.back());
  EXPECT_EQ(last.counter, 0U);
  EXPECT_EQ(last.time_ms, kNow + 1000);
  EXPECT_EQ(last.process, 0xABCDEF0123U);
  EXPECT_EQ(clock->time_ms(), kNow + 1000) << "the next second is waited for";
}

TEST(Uuid4s, are_of_version_4_and_differ) {
  Uuid4 ids;
  std::set<Uuid> all;
  for (const Uuid& id : ids.next_ids(100'000)) {
    EXPECT_EQ(id.version(), 4);
    EXPECT_EQ(id.bytes[8] >> 6, 2);
    all.insert(id);
  }
  all.insert(ids.next_id());
  EXPECT_EQ(all.size(), 100'001U);
  EXPECT_EQ(ids.stats().issued, 100'001U);
  ids.close();
  EXPECT_ERROR(ids.next_id(), generator_closed);
}

TEST(BuiltInKinds, all_open_by_name) {
  for (const std::string& kind : built_in_kinds()) {
    KindOptions options;
    if (kind == "snowflake") options.set("worker", 5);
    // An object, or a client of another language.
    const bool needs_store = kind == "segment" || kind == "date" || kind == "ticket";
    if (needs_store) EXPECT_ERROR(open_kind(kind, options), option_invalid);
    else EXPECT_EQ(open_kind(kind, options)->kind(), kind);
  }
}

TEST(Fills, write_the_bytes_of_the_texts) {
  constexpr std::size_t kIds = 1000;
  std::string given;
  for (std::uint64_t word = 1; word <= 2 * kIds + 2; ++word) given += words({word * 0x9E3779B97F4A7C15});
  for (const char* const kind : {"uuid7", "uuid4", "objectid"}) {
    const auto opened = [&] {
      return open_kind(kind, {{"clock", std::make_shared<ManualClock>(kNow)}, {"entropy", given}});
    };
    const auto ids = opened(), texts = opened();
    const std::size_t size = ids->id_bytes();
    std::vector<unsigned char> bytes(size * kIds + 1, 0xA5);
    ids->fill_bytes(bytes.data(), kIds);
    EXPECT_EQ(bytes.back(), 0xA5) << kind << " writes no further";
    for (std::size_t i = 0; i < kIds; ++i) {
      std::string text;
      for (std::size_t at = i * size; at < (i + 1) * size; ++at) {
        text += "0123456789abcdef"[bytes[at] >> 4];
        text += "0123456789abcdef"[bytes[at] & 15];
      }
      std::string expected = texts->next_id_string();
      expected.erase(std::remove(expected.begin(), expected.end(), '-'), expected.end());
      ASSERT_EQ(text, expected) << kind << ' ' << i;
    }
  }
  Uuid7 ids;
  std::vector<unsigned char> bytes(17 * 16);
  ids.fill_bytes(bytes.data() + 1, 16);  // anywhere
  Uuid first;
  std::copy_n(bytes.begin() + 1, 16, first.bytes.begin());
  EXPECT_EQ(first.version(), 7);
}

TEST(Entropy, is_for_tests_alone) {
  Uuid7Options options;
  options.entropy = words({1, 2});
  EXPECT_ERROR(Uuid7(options), option_invalid);
  options.clock = std::make_shared<ManualClock>(kNow);
  options.entropy = "1234567";
  EXPECT_ERROR(Uuid7(options), option_invalid);
  options.entropy = words({1, 2});
  Uuid7 ids(options);
  ids.next_id();
  const std::uint64_t issued = ids.stats().issued;
  EXPECT_ERROR(ids.next_id(), option_invalid);
  EXPECT_EQ(ids.stats().issued, issued) << "nothing is claimed";
}

TEST(Entropy, has_as_many_ones_as_zeros_at_every_bit) {
  constexpr int kWords = 100'000;
  std::vector<int> ones(64);
  std::vector<std::uint64_t> many(kWords);
  entropy::fill(many.data(), many.size());
  for (int i = 0; i < kWords; ++i) {
    const std::uint64_t word = i % 2 == 0 ? entropy::bits() : many[static_cast<std::size_t>(i)];
    for (int bit = 0; bit < 64; ++bit) ones[static_cast<std::size_t>(bit)] += static_cast<int>(word >> bit & 1);
  }
  for (const int count : ones) EXPECT_NEAR(count, kWords / 2, 1500);  // nine standard deviations
}

TEST(HeldClocks, read_as_the_real_clock_where_that_only_rises) {
  ManualClock real(kNow);
  HeldClock held(&real);
  for (const int step : {0, 1, 0, 1000, 86'400'000}) {
    real.advance(step);
    EXPECT_EQ(held.now_ms(), real.time_ms());
    EXPECT_EQ(held.held_ms(), 0);
  }
  const std::int64_t before = SystemClock::read_ms(), read = HeldClock().now_ms(), after = SystemClock::read_ms();
  EXPECT_GE(read, before - 1);  // a cached tick may be that old
  EXPECT_LE(read, after + 1);
}

TEST(HeldClocks, wait_for_the_real_time_that_their_own_stands_for) {
  ManualClock real(kNow);
  HeldClock held(&real);
  held.now_ms();
  real.set(kNow - kHour);
  EXPECT_EQ(held.now_ms(), kNow);
  EXPECT_EQ(held.ns_until(kNow + 5), 5'000'000);
  held.advance_to(kNow + 5);
  EXPECT_EQ(real.time_ms(), kNow - kHour + 5);
  EXPECT_EQ(held.now_ms(), kNow + 5);
}

TEST(HeldClocks, are_not_driven_away_by_a_clock_that_goes_to_and_fro) {
  ManualClock real(kNow + kHour);
  HeldClock held(&real);
  real.set(kNow);
  EXPECT_EQ(held.now_ms(), kNow + kHour);
  for (int i = 1; i <= 1000; ++i) {
    real.set(kNow - kHour * 5 / 6);
    held.now_ms();
    real.set(kNow);
    EXPECT_EQ(held.now_ms(), kNow + kHour + i * 1000) << "a second, and not fifty minutes each time";
  }
}

TEST(HeldClocks, go_on_by_a_second_at_most_where_the_real_one_went_on_by_more) {
  ManualClock real(kNow);
  HeldClock held(&real);
  real.set(kNow - kHour);
  EXPECT_EQ(held.now_ms(), kNow);
  real.advance(1000);
  EXPECT_EQ(held.now_ms(), kNow + 1000);
  EXPECT_EQ(held.held_ms(), kHour);
  real.advance(60'000);
  EXPECT_EQ(held.now_ms(), kNow + 2000);
  EXPECT_EQ(held.held_ms(), kHour - 59'000);
  EXPECT_EQ(held.ns_until(kNow + 5000), 1'000'000'000) << "looks in time";
  real.set(kNow + 2001);
  EXPECT_EQ(held.now_ms(), kNow + 2001);
  EXPECT_EQ(held.ns_until(kNow + 5001), 3'000'000'000);
}

// --- by name ---------------------------------------------------------------------------------------

TEST(Kinds, of_this_library_open_by_name) {
  const FreshHome home;
  EXPECT_EQ(open_kind("uuid7")->next_id_string().size(), 36U);
  EXPECT_EQ(open_kind("uuid4")->next_id_string()[14], '4');
  EXPECT_EQ(open_kind("objectid")->next_id_string().size(), 24U);
  const auto snowflake = open_kind("snowflake", {{"worker", 900}, {"layout", "twitter"}, {"max_wait_ms", 20}});
  EXPECT_EQ(std::string(snowflake->kind()), "snowflake");
  EXPECT_GT(std::stoull(snowflake->next_id_string()), 1ULL << 60);
}

TEST(Kinds, take_no_options_that_they_do_not_know) {
  EXPECT_ERROR(open_kind("uuid4", {{"worker", 1}}), option_invalid);
  EXPECT_ERROR(open_kind("objectid", {{"layout", "polyflake"}}), option_invalid);
  EXPECT_ERROR(open_kind("uuid7", {{"max_wait", 1}}), option_invalid);
  EXPECT_ERROR(open_kind("uuid7", {{"max_wait_ms", "long"}}), option_invalid);
  EXPECT_ERROR(open_kind("uuid7:redis://h"), option_invalid);
  EXPECT_ERROR(open_kind("uuid77"), unknown_kind);
}

class Numbers final : public IdSource {
 public:
  explicit Numbers(std::int64_t first) : next_(first) {}
  const char* kind() const override { return "numbers"; }
  std::string next_id_string() override { return std::to_string(next_++); }
  std::size_t id_bytes() const override { return 1; }
  void fill_bytes(unsigned char* ids, std::size_t n) override {
    std::fill_n(ids, n, static_cast<unsigned char>(next_));
  }
  void close() noexcept override {}
  bool closed() const noexcept override { return false; }
  Stats stats() const override { return {}; }

 private:
  std::int64_t next_;
};

TEST(Kinds, of_a_program_open_by_name_too) {
  std::optional<std::string> store;
  register_kind("numbers", [&store](KindOptions& options) -> std::unique_ptr<IdSource> {
    store = options.take_text("store");
    return std::make_unique<Numbers>(options.take_number("first").value_or(1));
  });
  EXPECT_EQ(open_kind("numbers", {{"first", 41}})->next_id_string(), "41");
  EXPECT_FALSE(store);
  open_kind("numbers:redis://h/0");
  EXPECT_EQ(store, "redis://h/0");
  EXPECT_ERROR(open_kind("numbers", {{"last", 41}}), option_invalid);
  EXPECT_EQ(kinds().back(), "numbers");
  EXPECT_ERROR(register_kind("numbers", [](KindOptions&) { return open_kind("uuid4"); }), option_invalid);
  EXPECT_ERROR(register_kind("uuid7", [](KindOptions&) { return open_kind("uuid4"); }), option_invalid);
  EXPECT_ERROR(register_kind("Upper", [](KindOptions&) { return open_kind("uuid4"); }), text_invalid);
  EXPECT_ERROR(register_kind("a:b", [](KindOptions&) { return open_kind("uuid4"); }), text_invalid);
  EXPECT_ERROR(register_kind("nothing", nullptr), option_invalid);
}

}  // namespace
}  // namespace polyflake::test
