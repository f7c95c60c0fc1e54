// Dates: periods, their numbers and texts, and the counter machine over midnights.
#include <polyflake/date_numbers.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "count/period.hpp"
#include "count/zone_periods.hpp"
#include "counter_expected.hpp"
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

// --- zones whose clocks are set ------------------------------------------------------------------------

constexpr std::int64_t kAnHourMs = 3'600'000;

// A zone whose offset changes once, in hours.
OffsetAt zone(std::int64_t before_h, std::int64_t change_ms, std::int64_t after_h) {
  return [=](std::int64_t ms) { return std::optional((ms < change_ms ? before_h : after_h) * kAnHourMs); };
}

// Returns the periods from one time to another, each begun at the end of the former one.
std::vector<Period> periods_in(const char* format, const OffsetAt& offset_at, std::int64_t from_ms,
                               std::int64_t to_ms) {
  std::vector<Period> found;
  for (std::int64_t ms = from_ms; ms < to_ms; ms = found.back().end_ms) {
    const auto period = period_in(format, offset_at, ms);
    EXPECT_TRUE(period && period->start_ms <= ms && ms < period->end_ms) << ms;
    if (!period || period->end_ms <= ms) break;
    for (const std::int64_t within : {period->start_ms, (period->start_ms + period->end_ms) / 2, period->end_ms - 1}) {
      const auto same = period_in(format, offset_at, within);
      EXPECT_TRUE(same && same->label == period->label && same->start_ms == period->start_ms &&
                  same->end_ms == period->end_ms)
          << within << " in " << period->label;
    }
    if (!found.empty()) {
      EXPECT_EQ(found.back().end_ms, period->start_ms);
      EXPECT_LT(found.back().label, period->label);
    }
    found.push_back(*period);
  }
  return found;
}

std::vector<std::pair<std::uint64_t, std::int64_t>> hours_of(const std::vector<Period>& periods) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> hours;
  for (const Period& period : periods) hours.emplace_back(period.label, (period.end_ms - period.start_ms) / kAnHourMs);
  return hours;
}

using Hours = std::vector<std::pair<std::uint64_t, std::int64_t>>;

TEST(Zones, have_days_of_23_and_25_hours) {
  // Berlin in 2023: 03-26 01:00 UTC forward, 10-29 01:00 UTC back.
  const OffsetAt spring = zone(1, 1'679'792'400'000, 2), autumn = zone(2, 1'698'541'200'000, 1);
  EXPECT_EQ(hours_of(periods_in("yyyyMMdd", spring, 1'679'700'000'000, 1'679'900'000'000)),
            (Hours{{20230325, 24}, {20230326, 23}, {20230327, 24}}));
  EXPECT_EQ(hours_of(periods_in("yyyyMMdd", autumn, 1'698'450'000'000, 1'698'650'000'000)),
            (Hours{{20231028, 24}, {20231029, 25}, {20231030, 24}}));
  EXPECT_EQ(hours_of(periods_in("yyyyMM", spring, 1'679'700'000'000, 1'679'700'000'001)), (Hours{{202303, 743}}));
}

TEST(Zones, that_skip_midnight_begin_the_day_when_the_clock_is_set) {
  // Sao Paulo, 2018-11-04 03:00 UTC: from 00:00 to 01:00. Some zones do so at half past eleven.
  const std::int64_t change_ms = 1'541'300'400'000;
  const auto days = periods_in("yyyyMMdd", zone(-3, change_ms, -2), change_ms - 1, change_ms + 30 * kAnHourMs);
  EXPECT_EQ(hours_of(days), (Hours{{20181103, 24}, {20181104, 23}, {20181105, 24}}));
  EXPECT_EQ(days[1].start_ms, change_ms);
  const std::int64_t early_ms = change_ms - kAnHourMs / 2;
  const auto others = periods_in("yyyyMMdd", zone(-3, early_ms, -2), early_ms - 1, early_ms + 30 * kAnHourMs);
  EXPECT_EQ(others[1].start_ms, early_ms);
}

TEST(Zones, that_are_set_back_over_midnight_do_not_repeat_the_day) {
  // Saint John's until 2011: at 00:01 back to 23:01. The new day has begun, and goes on.
  const std::int64_t midnight_ms = 1'289'098'800'000;  // 2010-11-07 00:00 at -03:00
  const std::int64_t change_ms = midnight_ms + 60'000;
  const auto days = periods_in("yyyyMMdd", zone(-3, change_ms, -4), midnight_ms - 1, midnight_ms + 30 * kAnHourMs);
  EXPECT_EQ(hours_of(days), (Hours{{20101106, 24}, {20101107, 25}, {20101108, 24}}));
  EXPECT_EQ(days[1].start_ms, midnight_ms);
  // At midnight itself it is 23:00 again: the old day goes on for an hour.
  const auto longer = periods_in("yyyyMMdd", zone(-3, midnight_ms, -4), midnight_ms - 1, midnight_ms + 30 * kAnHourMs);
  EXPECT_EQ(hours_of(longer), (Hours{{20101106, 25}, {20101107, 24}, {20101108, 24}}));
}

TEST(Zones, may_skip_a_whole_day) {
  // Samoa went from the end of 2011-12-29 to the beginning of 12-31.
  const std::int64_t change_ms = 1'325'239'200'000;
  const auto days = periods_in("yyyyMMdd", zone(-10, change_ms, 14), change_ms - 1, change_ms + kAnHourMs);
  EXPECT_EQ(hours_of(days), (Hours{{20111229, 24}, {20111231, 24}}));
}

TEST(Zones, without_a_known_offset_have_no_periods) {
  const OffsetAt nowhere = [](std::int64_t) { return std::nullopt; };
  EXPECT_FALSE(period_in("yyyyMMdd", nowhere, kMidnightMs));
  EXPECT_FALSE(period_in("yyyyMMdd", zone(0, 0, 0), -1));
  EXPECT_FALSE(period_in("yyyyMMdd", zone(0, 0, 0), 253'402'300'800'000));
  EXPECT_FALSE(period_in("yyyyMMdd", zone(0, 0, 0), INT64_MAX));
  EXPECT_TRUE(period_in("yyyyMMdd", zone(0, 0, 0), 253'402'300'799'999));
}

TEST(Zones, by_name_are_looked_up_by_the_language_one_offset_at_a_time) {
  const Shape shape{"date", "yyyyMMdd", 6, "Europe/Berlin"};
  const OffsetAt berlin = zone(1, 1'679'792'400'000, 2);
  ZonePeriods periods;
  Contents contents;
  contents.store_ms = 1'679'792'400'000;
  ASSERT_TRUE(periods.hold_back(7, contents, shape));
  std::optional<ZonePeriods::Read> read;
  int looks = 0;
  for (; !read; ++looks) {
    const auto action = periods.next();
    ASSERT_TRUE(action);
    ASSERT_EQ(action->kind, Action::Kind::offset);
    EXPECT_EQ(action->time.zone, "Europe/Berlin");
    read = periods.know(berlin(action->time.unix_ms));
  }
  EXPECT_LT(looks, 10);
  EXPECT_EQ(read->number, 7U);
  EXPECT_FALSE(periods.next());
  const auto period = periods.of(shape)(*contents.store_ms);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->label, 20230326U);
  EXPECT_EQ(period->end_ms - period->start_ms, 23 * kAnHourMs);
  EXPECT_FALSE(periods.hold_back(8, contents, shape)) << "its offsets are known";
}

TEST(Zones, that_the_language_does_not_know_hold_nothing_back_for_ever) {
  const Shape shape{"date", "yyyyMMdd", 6, "Mars/Olympus"};
  ZonePeriods periods;
  Contents contents;
  contents.store_ms = kMidnightMs;
  ASSERT_TRUE(periods.hold_back(1, contents, shape));
  EXPECT_TRUE(periods.know(std::nullopt));
  EXPECT_FALSE(periods.of(shape)(kMidnightMs));
  ASSERT_TRUE(periods.hold_back(2, contents, {{"date", "yyyyMMdd", 6, "Mars/Else"}}));
  EXPECT_TRUE(periods.know(86'400'000)) << "no zone is a day ahead";
  contents.store_ms.reset();
  EXPECT_FALSE(periods.hold_back(3, contents, shape)) << "a store without a clock";
}

TEST(Zones, are_offsets_or_names) {
  for (const char* const name : {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "NZ"}) {
    EXPECT_TRUE(is_zone_name(name)) << name;
  }
  for (const char* const text : {"", "Z", "+08:00", "00:00", "Europe Berlin", "/UTC", "Europe/Berlin\n", "\xc3\x84"}) {
    EXPECT_FALSE(is_zone_name(text)) << text;
  }
  EXPECT_FALSE(is_zone_name(std::string(65, 'a')));
  EXPECT_FALSE(is_zone_name("localtime")) << "that of each host";
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

TEST(DateNumbers, of_a_year_before_1000_are_no_text) {
  const DateNumbers numbers("yyyyMMdd", 6, "ORD");
  EXPECT_ERROR(numbers.parse("ORD00230414000001"), text_invalid);
  EXPECT_ERROR(numbers.parse("ORD00000000000000"), text_invalid);
  EXPECT_ERROR(DateNumbers("yyyy", 1).parse("00001"), text_invalid);
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

TEST(Periods, that_an_operator_takes_back_give_no_number_below_those_that_are_held) {
  FakeStore store = before_midnight(0);
  Process process(store);
  expect_range(process.take(10), 1, 11);
  store.now_ms -= 3'600'000;  // a clock that was ahead is set right
  store.set(store.record->head, 500);
  ASSERT_EQ(store.record->head.period_label, 20230414U);
  process.take(10, 1, 2000);
  EXPECT_EQ(process.code(), ErrorCode::store_went_back) << "this process gave out numbers of the 15th";
  Process other(store);
  EXPECT_EQ(other.take(10).period_label, 20230414U);
}

TEST(Periods, whose_end_a_refused_caller_waits_for_are_noticed_without_a_wish) {
  FakeStore store = before_midnight(3'600'000);
  store.may_fail_over = false;
  store.set(store.record->head, 999'998);
  Process process(store);
  expect_range(process.take(1, 1), 999'999, 1'000'000);
  process.run(120'000);  // an idle look finds out
  ASSERT_EQ(process.code(), ErrorCode::range_exhausted);
  process.machine.take(500, 500);
  process.run(1000);
  process.machine.look();  // the caller was refused
  store.now_ms = kMidnightMs;
  process.run(2000);
  EXPECT_FALSE(process.code());
  EXPECT_EQ(store.record->next, 1U) << "no call wants the 500 any more";
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
