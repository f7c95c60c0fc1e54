// Dates: periods, their numbers and texts, and the counter machine over midnights.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "count/date_numbers.hpp"
#include "count/period.hpp"
#include "counter_by_hand.hpp"
#include "expect_error.hpp"

namespace polyflake::count::by_hand {
namespace {

constexpr std::int64_t kMidnightMs = 1'681'488'000'000;  // of 2023-04-14 and 15, at +08:00
constexpr std::int64_t kDayMs = 86'400'000;

std::uint64_t label_at(const std::string& format, const std::string& zone, std::int64_t unix_ms) {
  const auto period = period_at(format, offset_of(zone).value(), unix_ms);
  if (!period) return 0;
  EXPECT_LE(period->start_ms, unix_ms);
  EXPECT_GT(period->end_ms, unix_ms);
  EXPECT_EQ(period_at(format, *offset_of(zone), period->start_ms)->label, period->label);
  EXPECT_EQ(period_at(format, *offset_of(zone), period->end_ms - 1)->label, period->label);
  return period->label;
}

// --- periods -----------------------------------------------------------------------------------------

TEST(Periods, are_those_of_a_zone) {
  EXPECT_EQ(label_at("yyyyMMdd", "+00:00", kMidnightMs), 20230414U);
  EXPECT_EQ(label_at("yyyyMMdd", "+08:00", kMidnightMs), 20230415U);
  EXPECT_EQ(label_at("yyyyMMdd", "+08:00", kMidnightMs - 1), 20230414U);
  EXPECT_EQ(label_at("yyyyMM", "+00:00", kMidnightMs), 202304U);
  EXPECT_EQ(label_at("yyyy", "+00:00", kMidnightMs), 2023U);
  EXPECT_EQ(label_at("yyyyMMdd", "-00:30", 0), 0U) << "1969";
  EXPECT_EQ(label_at("yyyyMMdd", "+00:00", 0), 19700101U);
  EXPECT_EQ(label_at("yyyyMMdd", "+00:00", 253'402'300'799'999), 99991231U);
  EXPECT_EQ(label_at("yyyyMMdd", "+00:00", 253'402'300'800'000), 0U);
}

TEST(Periods, of_months_and_years_end_with_them) {
  const std::int64_t leap_ms = 1'709'164'800'000;  // 2024-02-29
  EXPECT_EQ(label_at("yyyyMMdd", "+00:00", leap_ms), 20240229U);
  const auto month = period_at("yyyyMM", 0, leap_ms).value();
  EXPECT_EQ(month.end_ms - month.start_ms, 29 * kDayMs);
  const auto year = period_at("yyyy", 0, leap_ms).value();
  EXPECT_EQ(year.end_ms - year.start_ms, 366 * kDayMs);
}

TEST(Zones, are_offsets_of_less_than_a_day_in_one_spelling) {
  EXPECT_EQ(offset_of("+00:00"), 0);
  EXPECT_EQ(offset_of("+05:45"), 20'700'000);
  EXPECT_EQ(offset_of("-03:30"), -12'600'000);
  EXPECT_EQ(offset_of("+23:59"), 86'340'000);
  for (const char* const text : {"", "-00:00", "+24:00", "+1:00", "+01:60", "+0100", "Z", "UTC", "+01:00 ", "01:00+",
                                 "Europe/Berlin", "+0x:00"}) {
    EXPECT_EQ(offset_of(text), std::nullopt) << text;
  }
}

// --- numbers and texts -------------------------------------------------------------------------------

TEST(DateNumbers, are_the_label_and_the_count) {
  const DateNumbers numbers("yyyyMMdd", 6, "ORD");
  EXPECT_EQ(numbers.number({20230414, 1}), 20230414000001U);
  EXPECT_EQ(numbers.text(20230414000001), "ORD20230414000001");
  EXPECT_EQ(numbers.number({20230414, 999'999}), 20230414999999U);
  EXPECT_EQ(numbers.parts(20230414000007).label, 20230414U);
  EXPECT_EQ(numbers.parts(20230414000007).count, 7U);
  EXPECT_EQ(numbers.parse("ORD20230414000007"), 20230414000007U);
  EXPECT_LT(DateNumbers("yyyyMMdd", 7, "").number({99991231, 9'999'999}), std::uint64_t{1} << 53);
  EXPECT_EQ(DateNumbers("yyyyMMdd", 10, "").number({99991231, 9'999'999'999}), 999912319999999999U);
  EXPECT_EQ(DateNumbers("yyyyMM", 1, "").text(2023049), "2023049");
  EXPECT_EQ(DateNumbers("yyyy", 4, "").parse("20230001"), 20230001U);
}

TEST(DateNumbers, never_carry_into_the_date) {
  const DateNumbers numbers("yyyyMMdd", 4, "");
  EXPECT_ERROR(numbers.number({20230414, 10'001}), field_out_of_range);
  EXPECT_ERROR(numbers.number({20230414, 10'000}), field_out_of_range);
  EXPECT_ERROR(numbers.number({20230414, 0}), field_out_of_range);
  EXPECT_ERROR(numbers.parts(202304140000), field_out_of_range);
}

TEST(DateNumbers, are_of_days_that_there_are) {
  const DateNumbers days("yyyyMMdd", 4, ""), months("yyyyMM", 4, ""), years("yyyy", 4, "");
  EXPECT_EQ(days.number({20240229, 1}), 202402290001U);
  for (const std::uint64_t label : {20230229U, 20231301U, 20230001U, 20230100U, 19691231U, 202304U, 100000101U}) {
    EXPECT_ERROR(days.number({label, 1}), field_out_of_range);
  }
  for (const std::uint64_t label : {202313U, 202300U, 2023U})
    EXPECT_ERROR(months.number({label, 1}), field_out_of_range);
  for (const std::uint64_t label : {1969U, 10'000U}) EXPECT_ERROR(years.number({label, 1}), field_out_of_range);
}

std::size_t position_in(const DateNumbers& numbers, const std::string& text) {
  try {
    numbers.parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::text_invalid) << text;
    return error.position().value();
  }
  return SIZE_MAX;
}

TEST(DateNumbers, are_read_from_their_one_spelling) {
  const DateNumbers numbers("yyyyMMdd", 6, "ORD");
  EXPECT_EQ(position_in(numbers, ""), 0U);
  EXPECT_EQ(position_in(numbers, "OR"), 2U);
  EXPECT_EQ(position_in(numbers, "ord20230414000001"), 0U);
  EXPECT_EQ(position_in(numbers, "ORD2023041400001"), 16U) << "too short";
  EXPECT_EQ(position_in(numbers, "ORD202304140000011"), 17U) << "too long";
  EXPECT_EQ(position_in(numbers, "ORD20230414-00001"), 11U);
  EXPECT_EQ(position_in(numbers, "ORD20230431000001"), 3U) << "no such day";
  EXPECT_EQ(position_in(numbers, "ORD20230414000000"), 16U) << "no such count";
}

TEST(DateNumbers, refuse_bad_options) {
  EXPECT_ERROR(DateNumbers("yyMMdd", 6, ""), option_invalid);
  EXPECT_ERROR(DateNumbers("yyyyMMdd", 0, ""), option_invalid);
  EXPECT_ERROR(DateNumbers("yyyyMMdd", 11, ""), option_invalid);
  EXPECT_ERROR(DateNumbers("yyyyMMdd", 6, "A B"), option_invalid);
  EXPECT_ERROR(DateNumbers("yyyyMMdd", 6, "12345678901234567"), option_invalid);
  EXPECT_EQ(DateNumbers("yyyyMMdd", 6, "Az09_-7890123456").top(), 999'999U);
}

// --- midnights -----------------------------------------------------------------------------------------

FakeStore before_midnight(std::int64_t ms) {
  FakeStore store;
  store.now_ms = kMidnightMs - ms;
  CounterOptions options = date();
  options.zone = "+08:00";
  store.set(head_of(options, 0), 0);
  return store;
}

TEST(Midnights, begin_a_period_at_1_with_a_later_label) {
  FakeStore store = before_midnight(1000);
  Process process(store);
  const Numbers before = process.take(10);
  expect_range(before, 1, 11);
  EXPECT_EQ(before.period_label, 20230414U);
  EXPECT_EQ(before.drop_at_ms, kMidnightMs) << "of the store";
  store.now_ms = kMidnightMs - 1;
  expect_range(process.take(10), 11, 21);
  store.now_ms = kMidnightMs;
  const Word nonce = store.record->nonce;
  const Numbers after = process.take(10, 1, 100);
  EXPECT_NE(store.heads.back().record.nonce, nonce) << "a late return finds another one";
  expect_range(after, 1, 11);
  EXPECT_EQ(after.period_label, 20230415U);
  EXPECT_EQ(store.record->room, 100'000U - 10);
  EXPECT_EQ(store.record->until_ms, kMidnightMs + kDayMs);
  EXPECT_TRUE(process.jumped.empty());
}

TEST(Midnights, are_those_of_the_stores_clock) {
  FakeStore store = before_midnight(10'000);
  Process process(store);
  process.offset_ms = 59'000;
  process.take(10);
  EXPECT_EQ(process.granted.back().period_label, 20230414U);
  process.offset_ms = 61'000;
  store.now_ms = kMidnightMs;
  process.take(10, 1, 100);
  EXPECT_EQ(process.code(), ErrorCode::clock_skew) << "and no period is opened by such a host";
}

TEST(Midnights, refuse_adds_of_yesterday_and_late_returns) {
  FakeStore store = before_midnight(1000);
  Process process(store);
  process.take(10);
  const Add add = other_add(store, 5);
  Back back;
  static_cast<Request&>(back) = add;
  back.nonce = store.record->nonce;
  back.n = 1;
  store.now_ms = kMidnightMs;
  process.take(10, 1, 100);
  EXPECT_EQ(step(store.record, add, store.present()).outcome, Outcome::until);
  EXPECT_EQ(step(store.record, back, store.present()).outcome, Outcome::conflict);
  EXPECT_EQ(store.record->next, 11U);
}

TEST(Midnights, that_come_twice_as_the_clock_goes_back_change_nothing) {
  FakeStore store = before_midnight(0);
  Process process(store);
  process.take(10);
  store.now_ms = kMidnightMs - 600'000;
  expect_range(process.take(10, 1, 100), 11, 21);
  Process later(store);
  expect_range(later.take(10, 1, 100), 21, 31);
  EXPECT_EQ(later.granted.back().period_label, 20230415U);
}

TEST(Clocks, that_are_set_back_beyond_midnight_wait) {
  FakeStore store = before_midnight(0);
  Process(store).take(10);
  store.now_ms = kMidnightMs - 600'001 - 5000;
  Process process(store);
  process.take(10, 1, 100);
  EXPECT_EQ(process.code(), ErrorCode::clock_behind);
  EXPECT_TRUE(process.granted.empty());
  process.run(6000);
  EXPECT_EQ(process.granted.size(), 1U);
}

TEST(Periods, with_a_label_that_does_not_rise_are_not_opened) {
  FakeStore store = before_midnight(1000);
  Process process(store);
  process.take(10);
  Settings other = settings(store);
  other.period_of = [](std::int64_t unix_ms) { return period_at("yyyyMMdd", 0, unix_ms); };
  store.now_ms = kMidnightMs;  // by other tables of zones it is still the 14th
  Process outdated(store, other);
  outdated.take(10, 1, 100);
  EXPECT_EQ(outdated.code(), ErrorCode::clock_behind);
  EXPECT_TRUE(store.heads.empty());
}

TEST(Periods, that_are_used_up_are_exhausted_until_the_next_one) {
  FakeStore store = before_midnight(3'600'000);
  store.may_fail_over = false;
  store.set(store.record->head, 999'990);
  Process process(store);
  expect_range(process.take(100, 100), 999'991, 1'000'000);
  process.take(1, 1, 100);
  EXPECT_EQ(process.code(), ErrorCode::range_exhausted);
  process.run(3'600'000);
  EXPECT_FALSE(process.code());
  expect_range(process.granted.back(), 1, 2);
}

TEST(Periods, of_zones_that_only_a_language_knows_may_have_days_of_23_and_25_hours) {
  FakeStore store = before_midnight(0);
  const Period day{20230415, kMidnightMs, kMidnightMs + kDayMs - 3'600'000};
  const Period next{20230416, day.end_ms, day.end_ms + kDayMs + 3'600'000};
  Settings with = settings(store);
  with.period_of = [=](std::int64_t ms) { return std::optional(ms < day.end_ms ? day : next); };
  store.record->until_ms = day.end_ms;
  store.now_ms = day.end_ms - 1;
  Process process(store, with);
  expect_range(process.take(10), 1, 11);
  store.now_ms = day.end_ms;
  expect_range(process.take(10, 1, 100), 1, 11);
  EXPECT_EQ(store.record->until_ms, next.end_ms);
}

// --- failovers -----------------------------------------------------------------------------------------

TEST(Failovers, just_before_midnight_wait_for_the_new_period_and_jump_there) {
  FakeStore store = before_midnight(600);
  Process process(store);
  process.take(10);
  store.fail_over(*store.record);
  process.machine.take(10, 1);
  process.run(599);
  EXPECT_TRUE(store.heads.empty()) << "the period ends within twice the tolerance";
  process.run(1);
  EXPECT_EQ(store.record->head.period_label, 20230415U);
  EXPECT_EQ(store.record->room, 0U);
  EXPECT_GT(store.record->next, 100'000U) << "at the ceiling of the new period";
  ASSERT_EQ(process.jumped.size(), 1U);
  process.run(2000);
  EXPECT_EQ(process.granted.back().period_label, 20230415U);
  EXPECT_GT(process.granted.back().first, 100'000U);
}

TEST(Failovers, at_the_very_end_of_a_period_that_is_not_opened_wait_for_the_next_one) {
  FakeStore store = before_midnight(1000);
  Process process(store);
  process.take(10);
  store.now_ms = kMidnightMs + kDayMs - 500;
  store.fail_over(*store.record);
  process.machine.take(10, 1);
  process.run(499);
  EXPECT_TRUE(store.heads.empty());
  process.run(10);
  EXPECT_EQ(store.record->head.period_label, 20230416U);
}

TEST(Failovers, that_lose_the_new_period_repeat_none_of_its_numbers) {
  FakeStore store = before_midnight(2000);
  Process process(store);
  process.take(10);
  const Record survivor = *store.record;
  store.now_ms = kMidnightMs;
  process.take(500, 500, 100);
  EXPECT_EQ(process.granted.back().period_label, 20230415U);
  const std::uint64_t lost = process.granted.back().end;
  store.now_ms += 1000;
  store.fail_over(survivor);
  process.take(10, 1, 3000);
  EXPECT_EQ(process.granted.back().period_label, 20230415U);
  EXPECT_GE(process.granted.back().first, lost);
  EXPECT_FALSE(process.code());
}

TEST(Failovers, of_a_trusted_store_over_midnight_are_written_down_with_the_period) {
  FakeStore store = before_midnight(1000);
  CounterOptions options = date();
  options.zone = "+08:00";
  options.failover = "trust";
  store.set(head_of(options, 0), 0);
  Process process(store);
  process.take(10);
  store.now_ms = kMidnightMs;
  store.fail_over(*store.record);
  expect_range(process.take(10, 1, 100), 1, 11);
  EXPECT_EQ(store.record->incarnation, store.incarnation);
  EXPECT_TRUE(process.jumped.empty());
}

}  // namespace
}  // namespace polyflake::count::by_hand
