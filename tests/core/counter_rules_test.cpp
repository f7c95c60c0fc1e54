// The rules of counters that are pure functions: ceilings, steps, records, options, tickets.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "count/adaptive_step.hpp"
#include "count/ceiling.hpp"
#include "count/record.hpp"
#include "count/tickets.hpp"
#include "counter_by_hand.hpp"
#include "expect_error.hpp"

namespace polyflake::count::by_hand {
namespace {

Record made_at(std::int64_t t_ms, std::uint64_t rate, std::uint64_t burst) {
  Record record;
  record.head = head_of(segment(rate, burst), 0);
  return set_by_operator(record, 0, std::nullopt, t_ms, true, "first");
}

// --- ceilings --------------------------------------------------------------------------------------

TEST(Ceilings, of_a_new_counter_leave_room_for_the_burst) {
  const Record record = made_at(1000, 1000, 50);
  EXPECT_EQ(record.next, 1U);
  EXPECT_EQ(record.room, 50U);
  EXPECT_EQ(record.head.base, -949);
  EXPECT_EQ(record.until_ms, std::int64_t{1} << 53);
  EXPECT_EQ(record.head.topped_up_ms, 1000);
  EXPECT_EQ(made_at(1'700'000'000'000, 1'000'000, 10'000'000).head.base, -1'699'999'989'999'999);
}

TEST(Ceilings, rise_with_the_stores_time) {
  Record record = made_at(1000, 1000, 50);
  record.next = 51;
  record.room = 0;
  EXPECT_EQ(topped_up(record, 1000).room, 0U);
  EXPECT_EQ(ms_until_room(record, 1000), 1);
  const Record later = topped_up(record, 1010);
  EXPECT_EQ(later.room, 10U);
  EXPECT_EQ(later.head.base, -949);
  EXPECT_EQ(later.head.topped_up_ms, 1010);
}

TEST(Ceilings, are_lowered_by_idle_times_and_never_raised) {
  const Record record = made_at(1000, 1000, 50);
  const Record idle = topped_up(record, 61'000);
  EXPECT_EQ(idle.head.base, 1 + 50 - 61'000);
  EXPECT_EQ(idle.room, 50U) << "no more than the burst";
  const Record back = topped_up(idle, 1000);
  EXPECT_EQ(back.head.base, idle.head.base) << "the store's clock went back";
  EXPECT_EQ(back.room, 50U) << "the room never falls";
  EXPECT_EQ(back.head.topped_up_ms, 61'000) << "no jump before it";
}

TEST(Ceilings, stay_above_room_that_was_given_back) {
  Record record = made_at(1000, 1000, 50);
  record.next = 21;
  record.room = 30;
  record = topped_up(record, 1040);
  EXPECT_EQ(record.room, 50U);
  record.next = 1;  // twenty numbers were given back
  record.room = 70;
  record = topped_up(record, 61'000);
  EXPECT_EQ(record.room, 70U);
  EXPECT_EQ(ceiling(record, 61'000), Wide{71});
}

TEST(Ceilings, are_where_a_jump_leads) {
  Record record = made_at(1000, 1000, 50);
  record.next = 21;
  record.room = 30;
  record = jumped(record, 1030, 5, "second");
  EXPECT_EQ(record.next, 91U);
  EXPECT_EQ(record.room, 0U);
  EXPECT_EQ(record.head.base, -949);
  EXPECT_EQ(record.incarnation, "second");
  EXPECT_EQ(record.head.topped_up_ms, 1000) << "a jump is no top-up";
  EXPECT_EQ(ms_until_room(record, 1030), 11);

  record = made_at(1'700'000'000'000, 1'000'000, 10'000'000);
  record.next = 1001;
  record.room = 9'999'000;
  record = jumped(record, 1'700'000'060'000, 500, "second");
  EXPECT_EQ(record.next, 71'000'001U);
  EXPECT_EQ(ms_until_room(record, 1'700'000'060'000), 1001);
}

TEST(Ceilings, never_lead_back_nor_beyond_the_top) {
  Record record = made_at(1000, 1000, 50);
  record.next = 500;
  EXPECT_EQ(jumped(record, 1030, 5, "second").next, 500U);
  record.head.top = 600;
  record.room = 0;
  EXPECT_EQ(jumped(record, 10'000, 5, "second").next, 601U);
  EXPECT_EQ(topped_up(record, 10'000).room, 50U) << "the burst";
  record.head.top = 520;
  EXPECT_EQ(topped_up(record, 10'000).room, 21U);
  EXPECT_EQ(room_to_top(record), 21U);
}

TEST(Ceilings, are_reckoned_in_128_bits) {
  CounterOptions options = segment((std::uint64_t{1} << 63) - 2, 50);
  options.failover = "stop";
  Record record;
  record.head = head_of(options, 0);
  record = set_by_operator(record, 0, std::nullopt, std::int64_t{1} << 52, true, "first");
  EXPECT_EQ(record.room, 50U);
  EXPECT_LT(record.head.base, Wide{INT64_MIN} * INT32_MAX);
  record.room = 0;
  record.next = 51;
  EXPECT_EQ(ms_until_room(record, std::int64_t{1} << 52), 1);
  EXPECT_EQ(topped_up(record, (std::int64_t{1} << 52) + 1).room, 50U);
  EXPECT_EQ(record_of(fields_of(record)).value().head.base, record.head.base);
}

TEST(Ceilings, of_dates_reach_the_top_exactly_at_the_end_of_the_period) {
  for (const char* const period : {"yyyyMMdd", "yyyyMM", "yyyy"}) {
    CounterOptions options = date();
    options.period = period;
    Record record;
    record.head = head_of(options, 0);
    const auto present = periods_of(shape_of(record.head))(kBeginMs);
    record = with_period(record, *present, present->start_ms, true, false);
    EXPECT_EQ(record.next, 1U);
    EXPECT_EQ(record.room, 100'000U);
    EXPECT_EQ(record.until_ms, present->end_ms);
    EXPECT_EQ(ceiling(record, present->end_ms), Wide{1'000'001});
    EXPECT_EQ(growth(record, present->start_ms - 1), Wide{-1}) << "rounded down, also before the beginning";
  }
}

TEST(Ceilings, of_a_period_that_another_incarnation_opens_count_from_its_beginning) {
  Record record;
  record.head = head_of(date(), 0);
  const auto present = periods_of(shape_of(record.head))(kBeginMs);
  const std::int64_t noon_ms = present->start_ms + 43'200'000;
  record = with_period(record, *present, noon_ms, true, true);
  EXPECT_EQ(record.room, 0U);
  EXPECT_EQ(jumped(record, noon_ms, 0, "second").next, 1U + 100'000 + 450'000);
  EXPECT_EQ(with_period(record, *present, noon_ms, true, false).room, 100'000U);
  EXPECT_EQ(with_period(record, *present, noon_ms, false, true).room, 999'999U) << "no ceiling";
}

// --- steps -------------------------------------------------------------------------------------------

TEST(Steps, follow_what_was_used) {
  AdaptiveStep step({});
  EXPECT_EQ(step.value(), 100U);
  const std::vector<std::pair<std::uint64_t, std::int64_t>> fetches = {
      {100, 1000},      {800, 800},        {6400, 6400},        {48'000, 48'000},
      {60'000, 60'000}, {60'000, 600'000}, {30'000, 3'000'000}, {15'000, 10'000'000}};
  std::vector<std::uint64_t> steps;
  for (const auto& [used, ms] : fetches) {
    step.adapt(used, ms);
    steps.push_back(step.value());
  }
  EXPECT_EQ(steps, (std::vector<std::uint64_t>{800, 6400, 51'200, 60'000, 60'000, 30'000, 15'000, 7500}));
}

TEST(Steps, stay_within_their_limits) {
  AdaptiveStep step({30'000, 100, 1000});
  step.adapt(UINT64_MAX, 0);
  EXPECT_EQ(step.value(), 800U);
  step.adapt(UINT64_MAX, 0);
  EXPECT_EQ(step.value(), 1000U);
  for (int i = 0; i < 9; ++i) step.adapt(0, 1000);
  EXPECT_EQ(step.value(), 100U);
}

TEST(Steps, that_are_fixed_never_change) {
  AdaptiveStep step({}, 7);
  step.adapt(1000, 1);
  EXPECT_EQ(step.value(), 7U);
}

TEST(Steps, are_low_at_half_and_never_if_they_are_1) {
  AdaptiveStep step({});
  EXPECT_FALSE(step.is_low(51));
  EXPECT_TRUE(step.is_low(50));
  EXPECT_FALSE(AdaptiveStep({}, 1).is_low(0));
  EXPECT_TRUE(AdaptiveStep({}, 2).is_low(1));
}

// --- records -----------------------------------------------------------------------------------------

Record a_record() {
  FakeStore store(date(), 41);
  store.record->label = "host-1/4711";
  return *store.record;
}

TEST(CounterRecords, are_named_fields_with_a_readable_head) {
  const FieldNames names = record_fields();
  const Fields fields = fields_of(made_at(1000, 1000, 50));
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += std::string(names[i].name) + "=" + fields[i] + "\n";
  const std::string none(32, '0');
  EXPECT_EQ(text, "head=format=polyflake 1;nonce=" + none +
                      ";kind=segment;period=;digits=0;zone=;base=-949;rate=1000;burst=50;top=9223372036854775806;"
                      "failover=jump;topped_up_ms=1000;period_label=0;period_start_ms=0;\n"
                      "next=1\nroom=50\nuntil_ms=9007199254740992\nnonce=" +
                      none + "\nterm=" + none + "\nincarnation=first\nlabel=\n");
}

TEST(CounterRecords, are_read_as_they_were_written) {
  const Record record = a_record();
  const auto read = record_of(fields_of(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(fields_of(*read), fields_of(record));
  EXPECT_EQ(read->head.base, record.head.base);
  EXPECT_EQ(read->head.zone, "+00:00");
  EXPECT_EQ(read->head.nonce, record.head.nonce);
}

TEST(CounterRecords, of_any_other_form_are_refused) {
  const Fields sound = fields_of(a_record());
  const auto with = [&](std::size_t field, const std::string& from, const std::string& to) {
    Fields fields = sound;
    const std::size_t at = fields[field].find(from);
    EXPECT_NE(at, std::string::npos) << from;
    fields[field].replace(at, from.size(), to);
    return record_of(fields).has_value();
  };
  EXPECT_TRUE(with(0, "polyflake 1", "polyflake 1"));
  EXPECT_FALSE(with(0, "polyflake 1", "polyflake 2"));
  EXPECT_FALSE(with(0, "kind=date", "kind=dates"));
  EXPECT_FALSE(with(0, "failover=jump", "failover=leap"));
  EXPECT_FALSE(with(0, "digits=6", "digits=0"));
  EXPECT_FALSE(with(0, "rate=900000", "rate=0"));
  EXPECT_FALSE(with(0, "base=", "base=-"));
  EXPECT_FALSE(with(0, "base=", "base=9999999999999999999999999999999999999999"));
  EXPECT_FALSE(with(0, "period_label=20231114", "period_label=0"));
  EXPECT_FALSE(with(0, "top=", "bottom="));
  EXPECT_FALSE(with(1, "42", "-42"));
  EXPECT_FALSE(with(1, "42", "9223372036854775808"));
  EXPECT_FALSE(with(2, "100000", "999959")) << "room beyond the top";
  EXPECT_TRUE(with(2, "100000", "999958"));
  EXPECT_FALSE(record_of(Fields(sound.begin(), sound.end() - 1)).has_value());
}

TEST(CounterRecords, of_segments_have_no_period) {
  Fields fields = fields_of(made_at(1000, 1000, 50));
  fields[0].replace(fields[0].find("period_label=0"), 14, "period_label=1");
  EXPECT_FALSE(record_of(fields));
}

// --- options -------------------------------------------------------------------------------------------

TEST(CounterOptions, have_defaults_that_only_size_the_jump) {
  const Head head = head_of({}, 0);
  EXPECT_EQ(head.rate, 1'000'000U);
  EXPECT_EQ(head.burst, 10'000'000U);
  EXPECT_EQ(head.top, (std::uint64_t{1} << 63) - 2);
  const Head of_date = head_of(date(), 0);
  EXPECT_EQ(of_date.rate, 900'000U);
  EXPECT_EQ(of_date.burst, 100'000U);
  EXPECT_EQ(of_date.top, 999'999U);
  EXPECT_EQ(of_date.period, "yyyyMMdd");
  EXPECT_EQ(of_date.zone, "+00:00");
}

template <class Change>
void expect_invalid(const CounterOptions& sound, const Change& change, std::uint64_t after = 0) {
  CounterOptions options = sound;
  change(options);
  EXPECT_ERROR(head_of(options, after), option_invalid);
}

TEST(CounterOptions, out_of_range_or_of_the_other_kind_are_refused) {
  expect_invalid({}, [](CounterOptions& o) { o.kind = "snowflake"; });
  expect_invalid({}, [](CounterOptions& o) { o.failover = "hop"; });
  expect_invalid({}, [](CounterOptions& o) { o.rate = 0; });
  expect_invalid({}, [](CounterOptions& o) { o.rate = std::uint64_t{1} << 63; });
  expect_invalid({}, [](CounterOptions& o) { o.burst = 0; });
  expect_invalid({}, [](CounterOptions& o) { o.top = (std::uint64_t{1} << 63) - 1; });
  expect_invalid({}, [](CounterOptions& o) { o.digits = 6; });
  expect_invalid({}, [](CounterOptions& o) { o.zone = "+00:00"; });
  expect_invalid({}, [](CounterOptions& o) { o.period = "yyyy"; });
  expect_invalid(date(), [](CounterOptions& o) { o.rate = 1000; });
  expect_invalid(date(), [](CounterOptions& o) { o.burst = 1000; });
  expect_invalid(date(), [](CounterOptions& o) { o.top = 1000; });
  expect_invalid(date(), [](CounterOptions& o) { o.digits = 0; });
  expect_invalid(date(), [](CounterOptions& o) { o.digits = 11; });
  expect_invalid(date(), [](CounterOptions& o) { o.period = "yyyyMMddHH"; });
  expect_invalid(date(), [](CounterOptions&) {}, 1'000'000);
}

TEST(CounterOptions, of_a_counter_that_an_idle_day_and_a_restart_would_end_are_refused) {
  CounterOptions options = segment(1000, 50);
  options.top = 50 + 1000 * 86'400;
  EXPECT_EQ(head_of(options, 0).top, *options.top);
  EXPECT_ERROR(head_of(options, 1), option_invalid);
  options.failover = "stop";
  EXPECT_EQ(head_of(options, 1).top, *options.top);
  EXPECT_EQ(head_of(options, *options.top).top, *options.top);
  EXPECT_ERROR(head_of(options, *options.top + 1), option_invalid);
}

TEST(CounterNames, are_words_of_lower_case) {
  for (const char* const name :
       {"a", "7", "orders", "a.b_c-d", "0000000000000000000000000000000000000000000000000000000000000000"}) {
    check_name(name);
  }
  for (const char* const name : {"", "A", ".a", "-a", "_a", "a/b", "a b", "../a",
                                 "00000000000000000000000000000000000000000000000000000000000000000"}) {
    EXPECT_ERROR(check_name(name), option_invalid);
  }
}

// --- tickets -----------------------------------------------------------------------------------------

using Verdict = TicketServers::Verdict;

TEST(Tickets, of_the_right_class_that_rise_are_ids) {
  TicketServers servers(2);
  for (const std::uint64_t number : {5U, 7U, 9U, 11U}) EXPECT_EQ(servers.answered(1, number), Verdict::id);
  EXPECT_EQ(servers.answered(2, 4), Verdict::id) << "each server by itself";
  EXPECT_EQ(servers.answered(1, 5), Verdict::went_back);
  EXPECT_EQ(servers.answered(2, 4), Verdict::went_back) << "the same number again";
  EXPECT_FALSE(servers.next(1'000'000)) << "they are out for good";
}

TEST(Tickets, of_another_class_are_asked_for_once_more) {
  TicketServers servers(2);
  ASSERT_EQ(servers.next(0), 1U);
  EXPECT_EQ(servers.answered(1, 16), Verdict::again);
  EXPECT_EQ(servers.answered(1, 17), Verdict::id);
  servers.release(1);
  servers.failed(2, 0);
  ASSERT_EQ(servers.next(0), 1U);
  EXPECT_EQ(servers.answered(1, 18), Verdict::again) << "once for each call";
  EXPECT_EQ(servers.answered(1, 20), Verdict::misconfigured);
  EXPECT_FALSE(servers.next(0)) << "it is out for good";
  EXPECT_EQ(servers.next(1000), 2U);
}

TEST(Tickets, are_never_0_nor_beyond_63_bits) {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1} << 63}) {
    TicketServers servers(1);
    EXPECT_EQ(servers.answered(1, number), Verdict::again);
    EXPECT_EQ(servers.answered(1, number), Verdict::misconfigured);
  }
}

TEST(TicketServers, are_asked_in_turn) {
  TicketServers servers(3);
  for (const std::size_t server : {1U, 2U, 3U, 1U, 2U}) {
    EXPECT_EQ(servers.next(0), server);
    servers.release(server);
  }
}

TEST(TicketServers, are_asked_by_one_call_at_a_time) {
  TicketServers servers(2);
  EXPECT_EQ(servers.next(0), 1U);
  EXPECT_EQ(servers.next(0), 2U);
  EXPECT_FALSE(servers.next(0));
  EXPECT_EQ(servers.up(0).asked, 2U);
  servers.failed(1, 0);
  servers.release(1);
  EXPECT_FALSE(servers.next(0)) << "it is out";
  EXPECT_EQ(servers.up(0).asked, 1U);
  EXPECT_EQ(servers.up(1000).free, 1U);
  servers.release(2);
  EXPECT_EQ(servers.next(0), 2U);
}

TEST(TicketServers, that_fail_are_out_for_longer_each_time) {
  TicketServers servers(1);
  std::int64_t now_ms = 0;
  for (const std::int64_t pause_ms : {1000, 2000, 4000, 8000, 16'000, 30'000, 30'000}) {
    ASSERT_EQ(servers.next(now_ms), 1U);
    servers.failed(1, now_ms);
    servers.release(1);
    EXPECT_FALSE(servers.next(now_ms + pause_ms - 1));
    now_ms += pause_ms;
  }
  ASSERT_EQ(servers.next(now_ms), 1U);
  EXPECT_EQ(servers.answered(1, 5), Verdict::id);
  servers.failed(1, now_ms);
  servers.release(1);
  EXPECT_EQ(servers.next(now_ms + 1000), 1U) << "it begins again";
}

}  // namespace
}  // namespace polyflake::count::by_hand
