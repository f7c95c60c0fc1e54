// Leases and counters of C++ in a real store: they answer as every store does, and ids and numbers never repeat while the
// server is killed or paused and the process forks. tested_store.hpp says which store it is.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "copies.hpp"
#include "counter_requests.hpp"
#include "expect_error.hpp"
#include "lease_scenarios.hpp"
#include "paths.hpp"
#include "stores_in_trouble.hpp"
#include "tested_leases.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

TEST(CarriedStores, pass_all_scenarios_of_leases) {
  // Making a namespace makes the tables or folders that the store needs.
  init_namespace(*store_of_tests(new_name()), "polyflake");
  const Passed passed =
      run_scenarios(std::string(kVectors) + "lease-scenarios.json", kTestedStore.kind, new_name(),
                    SystemClock::read_ms(), [](const auto& name, const auto&) { return patient_store(name); });
  std::printf("scenarios: %zu of %zu passed (c++, %s)\n", passed.meant - passed.failures.size(), passed.meant,
              kTestedStore.kind);
  EXPECT_GT(passed.meant, 50U);
  for (const std::string& failure : passed.failures) ADD_FAILURE() << failure;
}

TEST(CarriedStores, answer_random_requests_to_counters_as_the_rules_do) {
  const auto store = patient_store(new_name());
  init_namespace(*store, "polyflake", fresh(), true);
  init_counter(*store, "first", 0);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Compared compared = compare_with_rules(*store, "numbers" + std::to_string(seed), kTestedStore.requests, seed);
    for (const std::string& difference : compared.differences) ADD_FAILURE() << difference;
    EXPECT_GE(compared.outcomes.size(), 7U) << "seed " << seed;
    EXPECT_GT(compared.outcomes.at("ok"), kTestedStore.requests / 4);
  }
  EXPECT_EQ(store->counter_names().value().size(), 4U);
  EXPECT_EQ(patient_store(new_name())->counter_names(), std::nullopt);
}

TEST(CarriedStores, make_list_and_raise_what_operators_ask_for) {
  const std::string name = new_name();
  const auto store = patient_store(name);
  EXPECT_ERROR(leases(*store, "polyflake"), namespace_not_initialised);
  Options options;
  options.worker = store;
  EXPECT_ERROR(Generator{options}, namespace_not_initialised);
  const std::string uuid = init_namespace(*store, "polyflake", calm(), true);
  EXPECT_EQ(init_namespace(*store, "polyflake"), uuid);
  EXPECT_ERROR(init_namespace(*store, "sonyflake"), layout_mismatch);
  Generator generator(calmly_leased(name));
  EXPECT_EQ(leases(*store, "polyflake").size(), 1U);
  raise_floor(*store, "polyflake", SystemClock::read_ms() + 1);
  init_counter(*store, "invoices", 41);
  init_counter(*store, "orders", 0);
  EXPECT_EQ(counters(*store).size(), 2U);
  Segment invoices(*store, patient_numbers("invoices"));
  EXPECT_EQ(invoices.next_id(), 42U);
  raise_counter(*store, "invoices", 100);
}

TEST(CarriedStores, in_one_process_give_each_generator_a_node_id_and_each_namespace_its_own) {
  const std::string name = new_name();
  Generator one(calmly_leased(name)), other(calmly_leased(name)), elsewhere(calmly_leased(new_name()));
  EXPECT_NE(one.worker(), other.worker());
  EXPECT_EQ(elsewhere.worker(), one.worker());
  const auto ids = together(4, [&](int i, Ids& mine) {
    for (int n = 0; n < 1000; ++n) mine.push_back((i % 2 == 0 ? one : other).next_id());
  });
  EXPECT_EQ(expect_unique(ids), 4000U);
  const auto shared = patient_store(name);
  Generator third(on(shared, calm())), fourth(on(shared, calm()));
  EXPECT_NE(third.worker(), fourth.worker());
}

TEST(CarriedStores, keep_ids_and_numbers_unique_through_a_kill_and_a_restart) {
  const std::string name = new_name();
  const auto store = store_of_tests(name), of_counter = store_of_tests(name);
  Generator generator(on(store, lease()));
  init_counter(*of_counter, "invoices", 0);
  SegmentOptions options{"invoices", 10};
  options.timeout_ms = 300;
  Segment invoices(*of_counter, options);
  Ids ids;
  std::set<std::uint64_t> numbers;
  const auto take_number = [&] {
    return error_of([&] { EXPECT_TRUE(numbers.insert(invoices.next_id()).second); }) == "none";
  };
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(takes(generator, ids));
    for (int i = 0; i < 25; ++i) ASSERT_TRUE(comes(take_number));
    control(std::string("kill ") + kTestedStore.server);
    EXPECT_EQ(take_until_failure(generator, ids), "store_unavailable");
    EXPECT_TRUE(comes([&] { return !take_number(); })) << "those that are held run out";
    control(std::string("start ") + kTestedStore.server);
    ASSERT_TRUE(takes(generator, ids));
    for (int i = 0; i < 25; ++i) ASSERT_TRUE(comes(take_number));
  }
  Generator successor(leased(name));
  Ids later;
  ASSERT_TRUE(takes(successor, later));
  EXPECT_GT(expect_unique({ids, later}), 4U);
  EXPECT_GT(numbers.size(), 100U);
}

TEST(CarriedStores, stop_at_the_end_of_the_window_while_the_store_is_paused_and_go_on_above) {
  const std::string name = new_name();
  Generator generator(leased(name));
  Ids ids;
  ASSERT_TRUE(takes(generator, ids));
  control(std::string("pause ") + kTestedStore.server);
  EXPECT_EQ(take_until_failure(generator, ids), "store_unavailable");
  EXPECT_EQ(code_in(error_of([&] { Generator{leased(name, kSoonMs)}; })), "store_unavailable") << "nothing answers";
  control(std::string("resume ") + kTestedStore.server);
  ASSERT_TRUE(takes(generator, ids));
  Generator other(leased(name));
  Ids of_other;
  ASSERT_TRUE(takes(other, of_other));
  EXPECT_GT(expect_unique({ids, of_other}), 3U);
}

// Each thread opens generators of its own, renews and closes them, beside a store that all of them ask.
TEST(CarriedStores, serve_many_threads_that_open_and_close_at_once) {
  const std::string name = new_name();
  const auto shared = patient_store(name);
  init_namespace(*shared, "polyflake", calm(), true);
  init_counter(*shared, "invoices", 0);
  Segment invoices(*shared, patient_numbers("invoices"));
  std::vector<Ids> numbers(6);
  const std::vector<Ids> ids = together(static_cast<int>(numbers.size()), [&](int thread, Ids& taken) {
    for (int round = 0; round < 4; ++round) {
      {
        Generator generator(calmly_leased(name));
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(takes(generator, taken));
        EXPECT_TRUE(comes([&] { return error_of([&] { generator.renew(); }) == "none"; }));  // it gives up after 2 s
        EXPECT_TRUE(takes(generator, taken));
      }
      std::sort(taken.begin(), taken.end());  // they rise within one generator
      EXPECT_TRUE(shared->read({}).space);
      numbers[static_cast<std::size_t>(thread)].push_back(invoices.next_id());
    }
  });
  EXPECT_EQ(expect_unique(ids), 6U * 4 * 4);
  EXPECT_EQ(expect_unique(numbers), 6U * 4);
}

// Asks a store without a pause, so that a command is under way whenever the process is copied.
class Asker {
 public:
  explicit Asker(std::shared_ptr<Store> store)
      : thread_([this, store] {
          while (!ends_) error_of([&] { store->read({}); });
        }) {}
  ~Asker() {
    ends_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

// Returns the next id, or why none came for a long time.
template <class Source>
std::string patiently(Source& source) {
  std::string id, failure;
  comes([&] {
    failure = error_of([&] { id = source.next_id_string(); });
    return failure == "none";
  });
  return failure == "none" ? id : failure;
}

#if defined(POLYFLAKE_SANITIZED)
constexpr int kAskers = 0;  // a copy inherits the locks of a sanitizer's own allocator
#else
constexpr int kAskers = 2;
#endif

TEST(CarriedStores, give_a_copy_of_the_process_ids_and_numbers_over_a_connection_of_its_own) {
  const auto store = patient_store(new_name());
  Generator generator(on(store, lease()));
  init_counter(*store, "invoices", 0);
  Segment invoices(*store, patient_numbers("invoices"));
  std::vector<std::unique_ptr<Asker>> askers;
  for (int i = 0; i < kAskers; ++i) askers.push_back(std::make_unique<Asker>(store));
  // A node id may come again once the window of a copy that ended is over, but no id.
  std::set<std::string> ids = {patiently(generator)}, numbers = {patiently(invoices)};
  for (int round = 0; round < 3; ++round) {
    for (const Fork fork : kForksBesideThreads) {
      EXPECT_TRUE(ids.insert(in_copy(fork, [&] { return patiently(generator); })).second);
      EXPECT_TRUE(numbers.insert(in_copy(fork, [&] { return patiently(invoices); })).second);
      EXPECT_EQ(in_copy(fork, [&] { return std::to_string(store->read({}).space.value().window_ms); }), "900");
      EXPECT_TRUE(ids.insert(patiently(generator)).second);
    }
  }
  EXPECT_TRUE(numbers.insert(patiently(invoices)).second);
  EXPECT_EQ(ids.size(), 1 + 2 * 3 * kForksBesideThreads.size());
  for (const auto& said : {ids, numbers}) {
    for (const std::string& number : said)
      EXPECT_EQ(number.find_first_not_of("0123456789"), std::string::npos) << number;
  }
}

}  // namespace
}  // namespace polyflake::test
