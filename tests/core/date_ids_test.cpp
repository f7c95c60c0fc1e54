// DateIds over a store in memory whose clock is set by the test.
#include <polyflake/counters.hpp>
#include <polyflake/date_ids.hpp>
#include <polyflake/host_store.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "count/period.hpp"
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kMinuteMs = 60'000, kDayMs = 86'400'000;

std::int64_t system_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// A store whose clock is near that of this host, since a period is opened with both as witnesses,
// and whose midnight is near: it is that of a zone in which a minute's end is a day's.
struct Midnight {
  Midnight() : Midnight(system_ms()) {}
  explicit Midnight(std::int64_t now) : ms((now / kMinuteMs + 1) * kMinuteMs) {
    init_namespace(store, "polyflake");
    set(-10'000);
    CounterOptions options;
    options.kind = "date";
    options.zone = zone();
    init_counter(store, "orders", 0, options);
  }

  // Returns the offset whose day ends at `ms`.
  std::string zone() const {
    const std::int64_t east = ((kDayMs - ms % kDayMs) % kDayMs) / kMinuteMs;
    char text[16];
    std::snprintf(text, sizeof text, "+%02d:%02d", static_cast<int>(east / 60), static_cast<int>(east % 60));
    return text;
  }
  void set(std::int64_t from_midnight_ms) { store_ms = ms + from_midnight_ms; }
  // The label of the day before (false) or after the midnight.
  std::uint64_t label(bool after) const {
    return count::period_at("yyyyMMdd", *count::offset_of(zone()), ms - (after ? 0 : 1))->label;
  }
  DateOptions options(std::uint64_t step = 1) const {
    DateOptions options;
    options.name = "orders";
    options.prefix = "ORD";
    options.zone = zone();
    options.step = step;
    return options;
  }

  const std::int64_t ms;  // Unix ms of the midnight
  std::atomic<std::int64_t> store_ms{0};
  MemoryStore store{[this] { return store_ms.load(); }};
};

TEST(DateIds, begin_with_the_date_and_start_over_at_midnight) {
  Midnight midnight;
  DateIds ids(midnight.store, midnight.options());
  EXPECT_EQ(ids.next_id(), midnight.label(false) * 1'000'000 + 1);
  EXPECT_EQ(ids.next_id_string(), "ORD" + std::to_string(midnight.label(false)) + "000002");
  midnight.set(0);
  EXPECT_EQ(ids.next_id(), midnight.label(true) * 1'000'000 + 1);
  EXPECT_EQ(ids.numbers().parse(ids.next_id_string()), midnight.label(true) * 1'000'000 + 2);
  EXPECT_STREQ(ids.kind(), "date");
  EXPECT_EQ(ids.stats().held, 0U);
  EXPECT_EQ(ids.stats().left, 999'997U);
}

TEST(DateIds, held_from_yesterday_are_dropped_when_the_day_is_over) {
  Midnight midnight;
  midnight.set(-200);
  DateIds ids(midnight.store, midnight.options(1000));
  EXPECT_EQ(ids.next_id() / 1'000'000, midnight.label(false));
  midnight.set(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));  // the day is over by what the store said
  EXPECT_EQ(ids.try_next_id().value_or(midnight.label(true) * 1'000'000 + 1), midnight.label(true) * 1'000'000 + 1);
  const std::uint64_t next = ids.next_id();
  EXPECT_EQ(next / 1'000'000, midnight.label(true));
  EXPECT_EQ(ids.stats().issued, 2U) << "what was dropped was not issued";
  ids.close();
  EXPECT_EQ(midnight.store.read_counter("orders").record->next, next % 1'000'000 + 1) << "the rest is given back";
}

TEST(DateIds, go_on_when_the_stores_clock_was_set_back_before_midnight) {
  Midnight midnight;
  midnight.set(-1000);
  DateIds ids(midnight.store, midnight.options());
  EXPECT_EQ(ids.next_id() % 1'000'000, 1U);
  midnight.set(-30'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(1050));  // the first reading says: over
  for (std::uint64_t count = 2; count < 20; ++count) EXPECT_EQ(ids.next_id() % 1'000'000, count);
  EXPECT_EQ(ids.stats().fetches, 19U) << "none was fetched in vain";
}

TEST(DateIds, fill_batches_that_rise_over_midnight) {
  Midnight midnight;
  DateIds ids(midnight.store, midnight.options(10));
  std::vector<std::uint64_t> all = ids.next_ids(25);
  midnight.set(0);
  for (int i = 0; i < 5; ++i) {
    const auto more = ids.next_ids(7);
    all.insert(all.end(), more.begin(), more.end());
  }
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(std::set<std::uint64_t>(all.begin(), all.end()).size(), all.size());
  EXPECT_EQ(all.back() / 1'000'000, midnight.label(true));
}

TEST(DateIds, of_many_threads_and_sources_are_one_series) {
  Midnight midnight;
  constexpr int kThreads = 8, kIds = 300;
  std::atomic<int> done{0};
  const auto taken = together(kThreads, [&](int thread, Ids& ids) {
    DateIds source(midnight.store, midnight.options(thread % 2 == 0 ? 1 : 16));
    for (int i = 0; i < kIds; ++i) {
      if (++done == kThreads * kIds / 2) midnight.set(1);
      ids.push_back(source.next_id());
    }
  });
  EXPECT_EQ(expect_unique(taken), std::size_t{kThreads} * kIds);
  std::set<std::uint64_t> all;
  for (const Ids& ids : taken) all.insert(ids.begin(), ids.end());
  for (const std::uint64_t id : all) {
    EXPECT_TRUE(id / 1'000'000 == midnight.label(false) || id / 1'000'000 == midnight.label(true)) << id;
  }
}

TEST(DateIds, of_a_used_up_day_are_exhausted_until_the_next) {
  Midnight midnight;
  raise_counter(midnight.store, "orders", 999'998);
  DateIds ids(midnight.store, midnight.options());
  EXPECT_EQ(ids.next_id() % 1'000'000, 999'999U);
  EXPECT_ERROR(ids.next_ids(500), range_exhausted);
  EXPECT_ERROR(ids.next_id(), range_exhausted);
  midnight.set(0);
  std::uint64_t id = 0;
  while (id == 0) {  // the counter is looked at again within a second
    try {
      id = ids.next_id();
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::range_exhausted);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  EXPECT_EQ(id, midnight.label(true) * 1'000'000 + 1);
}

TEST(DateIds, of_another_shape_or_without_a_clock_are_refused) {
  Midnight midnight;
  DateOptions options = midnight.options();
  options.digits = 7;
  EXPECT_ERROR(DateIds(midnight.store, options), layout_mismatch);
  options.digits = 11;
  EXPECT_ERROR(DateIds(midnight.store, options), option_invalid);
  options = midnight.options();
  options.zone = midnight.zone() == "+00:00" ? "+01:00" : "+00:00";
  EXPECT_ERROR(DateIds(midnight.store, options), layout_mismatch);
  options.zone = "Europe/Berlin";
  EXPECT_ERROR(DateIds(midnight.store, options), option_invalid);
  options = midnight.options(0);
  EXPECT_ERROR(DateIds(midnight.store, options), option_invalid);
  EXPECT_ERROR(Segment(midnight.store, {"orders"}), layout_mismatch);

  MemoryStore without_clock;
  init_namespace(without_clock, "polyflake");
  CounterOptions made;
  made.kind = "date";
  EXPECT_ERROR(init_counter(without_clock, "orders", 0, made), option_invalid);
  made.zone = "Europe/Berlin";
  EXPECT_ERROR(init_counter(midnight.store, "others", 0, made), option_invalid);
}

TEST(DateIds, of_the_host_are_of_today) {
  const FreshHome home;
  HostStore store(home.path(), "orders");
  init_namespace(store, "polyflake");
  CounterOptions made;
  made.kind = "date";
  made.period = "yyyy";
  init_counter(store, "orders", 41, made);
  DateOptions options;
  options.name = "orders";
  options.period = "yyyy";
  DateIds ids(store, options);
  const std::uint64_t before = count::period_at("yyyy", 0, system_ms())->label;
  const std::uint64_t id = ids.next_id();
  const std::uint64_t after = count::period_at("yyyy", 0, system_ms())->label;
  EXPECT_TRUE(id / 1'000'000 == before || id / 1'000'000 == after) << id;
}

}  // namespace
}  // namespace polyflake::test
