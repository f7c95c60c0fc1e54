// Lists of counters: what a record says to operators, and what a store may answer.
#include <polyflake/counters.hpp>
#include <polyflake/host_store.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "count/counter_state.hpp"
#include "count/listing.hpp"
#include "count/record.hpp"
#include "counter_by_hand.hpp"
#include "expect_error.hpp"
#include "fresh_home.hpp"
#include "lease/record.hpp"

namespace polyflake::count::by_hand {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

// --- the state of one ------------------------------------------------------------------------------

TEST(CounterStates, tell_the_record_and_where_a_jump_would_lead_to) {
  FakeStore store(segment(1000, 50), 1000);
  store.now_ms += 30;
  const CounterState state = state_of("orders", store.contents());
  EXPECT_EQ(state.name, "orders");
  EXPECT_EQ(state.kind, "segment");
  EXPECT_EQ(state.next, 1001U);
  EXPECT_EQ(state.room, 50U);
  EXPECT_EQ(state.top, (std::uint64_t{1} << 63) - 2);
  EXPECT_EQ(state.failover, "jump");
  EXPECT_EQ(state.top_up_age_ms, 30);
  EXPECT_EQ(state.incarnation, "first");
  EXPECT_FALSE(state.incarnation_changed);
  const std::uint64_t later_ms = 30 + 2 * kToleranceMs;
  EXPECT_EQ(state.jump_to, 1001 + 50 + later_ms);
  EXPECT_FALSE(state.period || state.digits || state.zone || state.period_label);
}

TEST(CounterStates, tell_the_very_number_at_which_a_process_goes_on) {
  FakeStore store;
  store.now_ms += kHourMs;
  const auto told = state_of("orders", store.contents()).jump_to;
  EXPECT_EQ(told, jumped(*store.record, store.now_ms, kToleranceMs, "other").next);
}

TEST(CounterStates, jump_never_below_next_and_never_beyond_the_top) {
  FakeStore store(segment(1, 1), 5);
  store.record->next = 1'000'000'000;
  EXPECT_EQ(state_of("orders", store.contents()).jump_to, 1'000'000'000U);
  store.record->head.top = 1'000'000'010;
  store.now_ms += 100'000 * kHourMs;
  store.record->head.rate = 1'000'000'000;
  EXPECT_EQ(state_of("orders", store.contents()).jump_to, 1'000'000'011U);
}

TEST(CounterStates, of_a_clock_that_went_back_jump_as_if_it_were_the_last_top_up) {
  FakeStore store;
  const auto now = state_of("orders", store.contents()).jump_to;
  store.now_ms -= kHourMs;
  EXPECT_EQ(state_of("orders", store.contents()).jump_to, now);
  EXPECT_EQ(state_of("orders", store.contents()).top_up_age_ms, 0);
}

TEST(CounterStates, know_of_no_jump_where_there_is_none) {
  for (const char* const failover : {"stop", "trust"}) {
    CounterOptions options = segment();
    options.failover = failover;
    const FakeStore store(options);
    EXPECT_FALSE(state_of("orders", store.contents()).jump_to) << failover;
  }
  FakeStore store;
  store.may_fail_over = false;
  EXPECT_FALSE(state_of("orders", store.contents()).jump_to);
  EXPECT_FALSE(state_of("orders", store.contents()).top_up_age_ms);
  store.may_fail_over = true;
  store.has_clock = false;
  EXPECT_FALSE(state_of("orders", store.contents()).jump_to);
  EXPECT_FALSE(state_of("orders", store.contents()).top_up_age_ms);
}

TEST(CounterStates, tell_a_store_of_another_incarnation_and_a_record_that_was_put_back) {
  FakeStore store;
  store.fail_over(*store.record);
  EXPECT_TRUE(state_of("orders", store.contents()).incarnation_changed);
  EXPECT_EQ(state_of("orders", store.contents()).incarnation, "first");
  store.incarnation = "first";
  EXPECT_FALSE(state_of("orders", store.contents()).incarnation_changed);
  store.put_back = true;
  EXPECT_TRUE(state_of("orders", store.contents()).incarnation_changed);
}

TEST(CounterStates, of_a_date_tell_its_period_and_no_jump_at_its_end) {
  FakeStore store(date());
  CounterState state = state_of("orders", store.contents());
  EXPECT_EQ(state.kind, "date");
  EXPECT_EQ(state.period, "yyyyMMdd");
  EXPECT_EQ(state.digits, 6U);
  EXPECT_EQ(state.zone, "+00:00");
  EXPECT_EQ(state.period_label, store.record->head.period_label);
  EXPECT_EQ(state.next, 1U);
  EXPECT_TRUE(state.jump_to);
  store.now_ms = store.record->until_ms - 2 * kToleranceMs;
  EXPECT_FALSE(state_of("orders", store.contents()).jump_to);
}

// --- stores of C++ ---------------------------------------------------------------------------------

std::vector<std::string> names_in(CounterStore& store) {
  std::vector<std::string> names;
  for (const CounterState& state : counters(store)) names.push_back(state.name);
  return names;
}

template <class AnyStore>
void expect_counters_by_name(AnyStore& store) {
  EXPECT_ERROR(counters(store), namespace_not_initialised);
  init_namespace(store, Layout("polyflake"));
  EXPECT_TRUE(counters(store).empty());
  for (const char* const name : {"orders", "invoices", "9-lives", "a.b_c"}) init_counter(store, name, 41);
  EXPECT_EQ(names_in(store), (std::vector<std::string>{"9-lives", "a.b_c", "invoices", "orders"}));
  const CounterState state = counters(store).back();
  EXPECT_EQ(state.next, 42U);
  EXPECT_FALSE(state.jump_to);
  EXPECT_FALSE(state.top_up_age_ms);
  EXPECT_FALSE(state.incarnation_changed);
}

TEST(CountersOfAStore, in_memory_are_listed_by_name) {
  MemoryStore store;
  expect_counters_by_name(store);
}

TEST(CountersOfAStore, in_a_folder_are_listed_by_name) {
  const test::FreshHome home;
  HostStore store(home.path(), "shop");
  expect_counters_by_name(store);
  std::ofstream(home.path() + "/shop/counter-Not a name").put('x');
  EXPECT_ERROR(counters(store), store_unavailable);
}

class Unreachable final : public CounterStore {
 public:
  Names counter_names() override {
    if (reads_too) throw 7;  // NOLINT: anything may come from a store of others
    return std::vector<std::string>{"b", "a", "b"};
  }
  Contents read_counter(const std::string& name) override {
    if (name == "a") return contents;
    throw std::runtime_error("no way to it");
  }
  Answer add(const Add&) override { return {}; }
  Answer write_head(const WriteHead&) override { return {}; }
  Answer back(const Back&) override { return {}; }

  bool reads_too = false;
  Contents contents;
};

TEST(CountersOfAStore, that_cannot_be_reached_are_an_error_that_names_the_counter) {
  Unreachable store;
  EXPECT_ERROR(counters(store), namespace_not_initialised);
  store.contents.space.emplace();
  try {
    counters(store);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store_unavailable);
    EXPECT_NE(std::string(error.what()).find("b"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("no way to it"), std::string::npos);
  }
  store.reads_too = true;
  EXPECT_ERROR(counters(store), store_unavailable);
}

// --- other stores ----------------------------------------------------------------------------------

constexpr const char* kKinds[] = {"redis", "postgresql", "mysql", "etcd", "zookeeper"};

struct Carried {
  explicit Carried(const std::string& kind)
      : session(requests_of(listing, [kind](const std::string& counter) {
          return make_dialect(kind, {"shop", counter, "", Placeholder::question});
        })) {}

  bool is_done() {
    const auto step = session.step();
    number = step.number;
    return !step.command && step.next.kind == lease::Requests::Next::Kind::done;
  }
  void reply(const Reply& reply) {
    ASSERT_FALSE(is_done());
    session.deliver(number, reply);
  }

  Listing listing{"the store"};
  lease::StoreSession session;
  std::uint64_t number = 0;
};

// The replies of each store for a namespace with these counters.
std::vector<Reply> names_of(const std::string& kind, const std::vector<std::string>& names) {
  if (kind == "redis") {
    lease::Row row{"1"};
    for (const auto& name : names) row.emplace_back(name);
    return {{row}};
  }
  lease::Row row;
  if (kind == "etcd") {
    for (const auto& name : names) row.emplace_back("polyflake/shop/counter/" + name);
    return {{{"ok", "1", "2"}, {"a record", "3"}, row}};
  }
  for (const auto& name : names) row.emplace_back(name);
  if (kind == "zookeeper") return {{{"a record", "0", "1", "2"}}, {row}};
  Reply rows;
  for (const auto& name : names) rows.push_back({name});
  return {{{"shop"}}, rows};
}

TEST(CountersOfEachStore, are_none_in_an_empty_namespace) {
  for (const char* const kind : kKinds) {
    Carried carried(kind);
    for (const Reply& reply : names_of(kind, {})) carried.reply(reply);
    EXPECT_TRUE(carried.is_done()) << kind;
    EXPECT_TRUE(carried.listing.states().empty()) << kind;
  }
}

TEST(CountersOfEachStore, need_a_namespace) {
  for (const char* const kind : kKinds) {
    Carried carried(kind);
    const std::string name = kind;
    if (name == "redis") carried.reply({{""}});
    else if (name == "etcd") carried.reply({{"ok", "1", "2"}, {}, {}});
    else if (name == "zookeeper") carried.reply({{}});
    else carried.reply({});
    EXPECT_ERROR(carried.is_done(), namespace_not_initialised);
  }
}

TEST(CountersOfEachStore, have_tables_once_there_is_one) {
  for (const auto& [kind, code] : {std::pair("postgresql", "42P01"), std::pair("mysql", "1146")}) {
    Carried none(kind);
    EXPECT_FALSE(none.is_done());
    none.session.fail(none.number, code, "no table");
    EXPECT_ERROR(none.is_done(), namespace_not_initialised);
    Carried empty(kind);
    empty.reply({{"shop"}});
    EXPECT_FALSE(empty.is_done());
    empty.session.fail(empty.number, code, "no table");
    EXPECT_TRUE(empty.is_done());
    EXPECT_TRUE(empty.listing.states().empty());
  }
}

TEST(CountersOfEachStore, that_have_no_name_of_a_counter_are_an_error) {
  for (const char* const kind : kKinds) {
    Carried carried(kind);
    for (const Reply& reply : names_of(kind, {"orders", "../etc"})) carried.reply(reply);
    EXPECT_ERROR(carried.is_done(), store_unavailable);
  }
}

TEST(CountersOfEachStore, whose_answer_is_nonsense_are_an_error) {
  const Reply nonsense[] = {{},
                            {{}},
                            {{std::nullopt}},
                            {{"x"}},
                            {{"x"}, {"y"}},
                            {{"1", std::nullopt}},
                            {{"ok", "1", "2"}, {"a", "3"}, {"other/key"}}};
  for (const char* const kind : kKinds) {
    for (const Reply& first : nonsense) {
      for (const Reply& second : nonsense) {
        Carried carried(kind);
        try {
          for (int i = 0; i < 4 && !carried.is_done(); ++i)
            carried.session.deliver(carried.number, i % 2 == 0 ? first : second);
        } catch (const Error& error) {
          const bool known =
              error.code() == ErrorCode::store_unavailable || error.code() == ErrorCode::namespace_not_initialised;
          EXPECT_TRUE(known) << kind << ": " << error.what();
        }
      }
    }
    Carried damaged(kind);
    for (const Reply& reply : names_of(kind, {"orders"})) damaged.reply(reply);
    damaged.reply({{"x"}});
    EXPECT_ERROR(damaged.is_done(), store_unavailable);
  }
}

TEST(CountersOfEachStore, that_vanished_meanwhile_are_left_out) {
  MemoryStore store;
  init_namespace(store, Layout("polyflake"));
  const std::string space = lease::print(lease::namespace_fields(), lease::fields_of(*store.read({}).space));
  Carried carried("etcd");
  for (const Reply& reply : names_of("etcd", {"orders", "gone"})) carried.reply(reply);
  const std::string record = lease::print(record_fields(), fields_of(*FakeStore().record));
  carried.reply({{"ok", "1", "2"}, {space, "3"}, {}});
  carried.reply({{"ok", "1", "2"}, {space, "3"}, {record, "4"}});
  EXPECT_TRUE(carried.is_done());
  ASSERT_EQ(carried.listing.states().size(), 1U);
  EXPECT_EQ(carried.listing.states().front().name, "orders");
}

}  // namespace
}  // namespace polyflake::count::by_hand
