// Issuing on a clock that the test moves: what one generator promises. Exact ids are in the vectors; what holds for every
// source of node ids is in tests/sources.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "expect_error.hpp"

namespace polyflake {
namespace {

constexpr std::int64_t kNow = 1'767'225'600'000;
constexpr const char* kSmall =
    "timestamp:41 worker:18 sequence:4 tick=1ms epoch=2020-01-01T00:00:00.000Z";  // 16 ids a tick

struct OnManualClock {
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(kNow);
  Options options;
  std::unique_ptr<Generator> generator;

  explicit OnManualClock(const Layout& layout = kSmall) {
    options.layout = layout;
    options.worker = 5;
    options.clock = clock;
    options.sequence_spread = 1;
  }
  Generator& open() {
    generator = std::make_unique<Generator>(options);
    return *generator;
  }
  Parts next() { return options.layout.unpack(generator->next_id()); }
};

TEST(Issuing, counts_up_within_a_tick_and_starts_again_in_the_next) {
  OnManualClock on;
  on.open();
  EXPECT_EQ(on.next().sequence, 0U);
  EXPECT_EQ(on.next().sequence, 1U);
  on.clock->advance(1);
  EXPECT_EQ(on.next().sequence, 0U);
  EXPECT_EQ(on.next().sequence, 1U);
}

TEST(Issuing, sequence_carries_into_the_next_tick_and_waits_for_it) {
  OnManualClock on;
  Generator& generator = on.open();
  generator.next_ids(40);
  EXPECT_EQ(on.clock->time_ms(), kNow + 2);
  const Stats stats = generator.stats();
  EXPECT_EQ(stats.issued, 40U);
  EXPECT_EQ(stats.waits, 2U);
  EXPECT_EQ(stats.waited_ms, 2.0);
  EXPECT_EQ(stats.sequence_exhaustions, 2U);
  EXPECT_EQ(stats.clock_steps_back, 0U);
}

TEST(Issuing, ids_increase_whatever_the_clock_does) {
  OnManualClock on;
  on.options.max_wait_ms = 1000;
  Generator& generator = on.open();
  std::mt19937_64 random(17);
  std::uint64_t former = 0;
  for (int i = 0; i < 200'000; ++i) {
    if (random() % 8 == 0) on.clock->advance(static_cast<std::int64_t>(random() % 1000) - 495);
    std::uint64_t id = 0;
    try {
      id = generator.next_id();
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::clock_behind);
      on.clock->advance(1000);
      continue;
    }
    ASSERT_GT(id, former);
    ASSERT_LT(id, std::uint64_t{1} << 63);
    former = id;
  }
}

TEST(Issuing, batches_give_what_as_many_calls_would_give) {
  OnManualClock one;
  OnManualClock many;
  Generator& single = one.open();
  Generator& batched = many.open();
  std::mt19937_64 random(19);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t n = random() % 60;
    const std::vector<std::uint64_t> batch = batched.next_ids(n);
    ASSERT_EQ(batch.size(), n);
    for (const std::uint64_t id : batch) ASSERT_EQ(single.next_id(), id);
    ASSERT_EQ(one.clock->time_ms(), many.clock->time_ms());
    const auto step = static_cast<std::int64_t>(random() % 3);
    one.clock->advance(step);
    many.clock->advance(step);
  }
}

TEST(Waiting, a_clock_too_far_back_is_refused_with_the_missing_time_and_nothing_is_claimed) {
  OnManualClock on;
  on.options.max_wait_ms = 10;
  Generator& generator = on.open();
  const std::uint64_t former = generator.next_id();
  on.clock->advance(-11);
  const std::string failure = test::error_of([&] { generator.next_id(); });
  EXPECT_EQ(test::code_in(failure), "clock_behind");
  EXPECT_NE(failure.find("11 ms"), std::string::npos) << failure;
  EXPECT_EQ(generator.stats().issued, 1U);
  on.clock->advance(1);
  EXPECT_EQ(generator.next_id(), former + 1);
  EXPECT_EQ(on.clock->time_ms(), kNow);
}

TEST(Waiting, one_tick_is_waited_out_even_without_patience) {
  OnManualClock on;
  on.options.max_wait_ms = 0;
  Generator& generator = on.open();
  generator.next_id();
  on.clock->advance(-1);
  generator.next_id();
  EXPECT_EQ(on.clock->time_ms(), kNow);
  on.clock->advance(-2);
  EXPECT_ERROR(generator.next_id(), clock_behind);
}

TEST(Waiting, steps_back_are_counted_once_with_the_largest) {
  OnManualClock on;
  on.options.max_wait_ms = 100;
  Generator& generator = on.open();
  generator.next_id();
  on.clock->advance(1);
  generator.next_id();
  on.clock->advance(-7);
  generator.next_id();
  EXPECT_EQ(generator.stats().clock_steps_back, 1U);
  EXPECT_EQ(generator.stats().largest_step_back_ms, 7);
}

TEST(Waiting, running_ahead_is_allowed_as_far_as_was_asked) {
  OnManualClock on;
  on.options.max_lead_ms = 3;
  on.options.max_wait_ms = 0;
  Generator& generator = on.open();
  std::size_t ready = 0;
  while (generator.try_next_id()) ++ready;
  EXPECT_EQ(ready, 16U + 3 * 16);
  EXPECT_EQ(on.clock->time_ms(), kNow);
  EXPECT_EQ(generator.stats().lead_ms, 3);
  generator.next_id();
  EXPECT_EQ(on.clock->time_ms(), kNow + 1);
}

// A clock that waiting does not move.
class StubbornClock final : public Clock {
 public:
  std::int64_t now_ms() const override { return now; }
  std::int64_t ns_until(std::int64_t unix_ms) const override { return unix_ms > now ? (unix_ms - now) * 1'000'000 : 0; }
  bool advance_to(std::int64_t) override { return false; }

  std::int64_t now = kNow;
};

// Holds a thread up between a reading of the clock and what it does with that, `holds` times: meanwhile another call is
// 50 ms further.
class HoldingClock final : public Clock {
 public:
  std::int64_t now_ms() const override {
    const std::int64_t read = now;
    if (holds > 0) {
      const int left = std::exchange(holds, 0);
      now += 50;
      meanwhile();
      holds = left - 1;
    }
    return read;
  }
  std::int64_t ns_until(std::int64_t unix_ms) const override { return unix_ms > now ? (unix_ms - now) * 1'000'000 : 0; }
  bool advance_to(std::int64_t) override { return false; }

  mutable std::int64_t now = kNow;
  mutable int holds = 0;
  std::function<void()> meanwhile;
};

TEST(Waiting, a_stale_reading_of_the_clock_accuses_nobody) {
  for (const bool at_once : {false, true}) {
    for (int holds = 1; holds <= 4; ++holds) {
      const auto clock = std::make_shared<HoldingClock>();
      Options options;
      options.layout = kSmall;
      options.worker = 5;
      options.max_wait_ms = 0;
      options.clock = clock;
      Generator generator(options);
      std::uint64_t between = generator.next_id();
      clock->now += 1;
      clock->meanwhile = [&] { between = generator.next_id(); };
      clock->holds = holds;
      const std::string failure = test::error_of([&] {
        const std::uint64_t id = at_once ? generator.try_next_id().value_or(UINT64_MAX) : generator.next_id();
        EXPECT_NE(id, between);
      });
      EXPECT_EQ(failure, "none") << holds;
      EXPECT_EQ(generator.stats().clock_steps_back, 0U) << holds;
    }
  }
}

TEST(Waiting, stays_bounded_when_the_clock_steps_back_during_the_wait) {
  Options options;
  options.layout = kSmall;
  options.worker = 5;
  options.max_wait_ms = 10;
  options.sequence_spread = 1;
  const auto clock = std::make_shared<StubbornClock>();
  options.clock = clock;
  Generator generator(options);
  generator.next_ids(16);
  Claims claims(generator);
  const std::int64_t claimed = claims.claim();
  ASSERT_LT(claimed, -1);
  const auto id = static_cast<std::uint64_t>(~claimed);
  EXPECT_EQ(claims.wait_ns(id, 0), 1'000'000);
  clock->now -= 9;
  EXPECT_EQ(claims.wait_ns(id, 0), 10'000'000);
  EXPECT_EQ(claims.wait_ns(id, 20'000'000), 10'000'000);
  EXPECT_ERROR(claims.wait_ns(id, 1'000'000'000), clock_behind);  // it stands still
  clock->now -= 3'600'000;
  EXPECT_ERROR(claims.wait_ns(id, 0), clock_behind);
  clock->now = kNow + 1;
  EXPECT_EQ(claims.wait_ns(id, 0), 0);
  EXPECT_EQ(claims.wait_ns(id, 5'000'000'000), 0) << "its tick has come, however long the process was stopped";
}

TEST(Clocks, before_the_epoch_are_refused_until_they_pass_it) {
  OnManualClock on;
  on.clock->set(on.options.layout.epoch_ms() - 1);
  Generator& generator = on.open();
  EXPECT_ERROR(generator.next_id(), clock_before_epoch);
  EXPECT_ERROR(generator.try_next_id(), clock_before_epoch);
  EXPECT_ERROR(generator.next_ids(3), clock_before_epoch);
  on.clock->advance(1);
  EXPECT_EQ(on.next().tick, 0U);
}

TEST(Clocks, at_the_last_tick_ids_end_without_wrapping) {
  OnManualClock on;
  on.clock->set(on.options.layout.time_of(on.options.layout.end_tick() - 1));
  Generator& generator = on.open();
  const std::vector<std::uint64_t> ids = generator.next_ids(16);
  EXPECT_EQ(ids.back(), on.options.layout.pack(on.options.layout.end_tick() - 1, 5, 15));
  EXPECT_ERROR(generator.next_id(), time_exhausted);
  EXPECT_ERROR(generator.try_next_id(), time_exhausted);
  on.clock->advance(1);
  EXPECT_ERROR(generator.next_id(), time_exhausted);
}

TEST(Options, out_of_range_are_refused) {
  OnManualClock on;
  const auto refused = [&](auto change) {
    Options options = on.options;
    change(options);
    return test::code_in(test::error_of([&] { Generator{options}; }));
  };
  EXPECT_EQ(refused([](Options& o) { o.max_wait_ms = -1; }), "option_invalid");
  EXPECT_EQ(refused([](Options& o) { o.max_lead_ms = std::int64_t{1} << 31; }), "option_invalid");
  EXPECT_EQ(refused([](Options& o) { o.sequence_spread = 0; }), "option_invalid");
  EXPECT_EQ(refused([](Options& o) { o.sequence_spread = 3; }), "option_invalid");
  EXPECT_EQ(refused([](Options& o) { o.sequence_spread = 2; }), "none");
  EXPECT_EQ(refused([](Options& o) {
              o.layout = "timestamp:41 worker:10 sequence:12 tick=1ms epoch=2040-01-01T00:00:00.000Z";
              o.clock = nullptr;
            }),
            "clock_before_epoch");
  EXPECT_EQ(refused([](Options& o) {
              o.layout = "baidu";
              o.clock = nullptr;
            }),
            "time_exhausted");
}

TEST(Spreading, keeps_ids_of_a_quiet_generator_from_being_even) {
  OnManualClock on("polyflake");
  on.options.sequence_spread = std::nullopt;
  Generator& generator = on.open();
  std::vector<int> shard(7);
  for (int i = 0; i < 7000; ++i) {
    on.clock->advance(3);
    ++shard[generator.next_id() % 7];
  }
  for (const int ids : shard) EXPECT_NEAR(ids, 1000, 150);
}

TEST(Spreading, costs_a_saturated_generator_nothing) {
  OnManualClock on("polyflake");
  on.options.sequence_spread = std::nullopt;
  Generator& generator = on.open();
  generator.next_ids(4096);
  const std::int64_t before = on.clock->time_ms();
  generator.next_ids(4096 * 100);
  EXPECT_EQ(on.clock->time_ms(), before + 100);
}

TEST(Sharing, manual_clocks_have_private_nodes) {
  OnManualClock one;
  OnManualClock other;
  EXPECT_EQ(one.open().next_id(), other.open().next_id());
}

TEST(Statistics, are_all_named_in_their_order) {
  Stats stats{};
  auto* const values = reinterpret_cast<unsigned char*>(&stats);
  for (std::size_t i = 0; i < sizeof stats; ++i) values[i] = static_cast<unsigned char>(i / 8);
  std::size_t at = 0;
  stats.each([&](const char*, auto value) {
    EXPECT_EQ(std::memcmp(&value, values + at, sizeof value), 0) << "at " << at;
    at += sizeof value;
  });
  EXPECT_EQ(at, sizeof stats);
}

TEST(Statistics, say_how_long_ids_last) {
  OnManualClock on("polyflake");
  Generator& generator = on.open();
  const Stats stats = generator.stats();
  EXPECT_NEAR(stats.years_left, 63.7, 0.1);
  EXPECT_EQ(stats.until_ms, on.options.layout.time_of(on.options.layout.end_tick()));
}

}  // namespace
}  // namespace polyflake
