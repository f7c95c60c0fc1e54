// Leases and counters of C++ in a real Redis: they answer as every store does, and ids and numbers never repeat while the
// server is killed, paused or demoted and the process forks.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

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
#include "redis_servers.hpp"
#include "stores_in_trouble.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr std::int64_t kWindowMs = 900;

// Its calls wait no longer than they must for what is meant to fail.
LeaseOptions lease(std::int64_t acquire_timeout_ms = 30'000) {
  LeaseOptions options = fresh(kWindowMs);
  options.acquire_timeout_ms = acquire_timeout_ms;
  options.renew_wait_ms = 100;
  return options;
}

constexpr std::int64_t kSoonMs = 500;

Options leased(const std::string& name, std::int64_t acquire_timeout_ms = 30'000) {
  return on(redis_store(name), lease(acquire_timeout_ms));
}

// Takes ids until it fails, and returns the code of the failure.
std::string take_until_failure(Generator& generator, Ids& ids) {
  std::string failure = "none";
  comes([&] {
    failure = error_of([&] { ids.push_back(generator.next_id()); });
    return failure != "none";
  });
  return code_in(failure);
}

bool takes(Generator& generator, Ids& ids) {
  return comes([&] { return error_of([&] { ids.push_back(generator.next_id()); }) == "none"; });
}

TEST(RedisStores, pass_all_scenarios_of_leases) {
  const Passed passed = run_scenarios(POLYFLAKE_LEASE_SCENARIOS, "redis", new_name(), SystemClock::read_ms(),
                                      [](const auto& name, const auto&) { return redis_store(name); });
  std::printf("scenarios: %zu of %zu passed (c++, redis)\n", passed.meant - passed.failures.size(), passed.meant);
  EXPECT_GT(passed.meant, 50U);
  for (const std::string& failure : passed.failures) ADD_FAILURE() << failure;
}

TEST(RedisStores, answer_random_requests_to_counters_as_the_rules_do) {
  const auto store = redis_store(new_name());
  init_namespace(*store, "polyflake", fresh(), true);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Compared compared = compare_with_rules(*store, "numbers" + std::to_string(seed), 1000, seed);
    for (const std::string& difference : compared.differences) ADD_FAILURE() << difference;
    EXPECT_GE(compared.outcomes.size(), 7U) << "seed " << seed;
    EXPECT_GT(compared.outcomes.at("ok"), 300);
  }
  EXPECT_EQ(store->counter_names().value().size(), 3U);
  EXPECT_EQ(redis_store(new_name())->counter_names(), std::nullopt);
}

TEST(RedisStores, make_list_and_raise_what_operators_ask_for) {
  const std::string name = new_name();
  const auto store = redis_store(name);
  EXPECT_ERROR(leases(*store, "polyflake"), namespace_not_initialised);
  Options options;
  options.worker = store;
  EXPECT_ERROR(Generator{options}, namespace_not_initialised);
  const std::string uuid = init_namespace(*store, "polyflake", lease(), true);
  EXPECT_EQ(init_namespace(*store, "polyflake"), uuid);
  EXPECT_ERROR(init_namespace(*store, "sonyflake"), layout_mismatch);
  Generator generator(leased(name));
  EXPECT_EQ(leases(*store, "polyflake").size(), 1U);
  raise_floor(*store, "polyflake", SystemClock::read_ms() + 1);
  init_counter(*store, "invoices", 41);
  init_counter(*store, "orders", 0);
  EXPECT_EQ(counters(*store).size(), 2U);
  Segment invoices(*store, {"invoices", 10});
  EXPECT_EQ(invoices.next_id(), 42U);
  raise_counter(*store, "invoices", 100);
}

TEST(RedisStores, need_the_password_of_the_server_and_keep_to_their_database) {
  const std::string name = new_name(), address = address_of("redis");
  const std::string host = address.substr(address.find("//") + 2);
  const auto store = [&](const std::string& login, const std::string& path) {
    return carried_store("redis", name, std::make_shared<RedisCarrier>("redis://" + login + host + path));
  };
  RedisCarrier operators(address);
  const auto set_password = [&](const std::string& password) {
    operators.carry({"command", {{"CONFIG", "SET", "requirepass", password}, {"", "alone"}}}, 10'000);
  };
  init_namespace(*store("", "/3"), "polyflake", lease(), true);
  set_password("hunter@2");
  EXPECT_TRUE(store(":hunter%402@", "/3")->read({}).space);
  EXPECT_TRUE(store("default:hunter%402@", "/3")->read({}).space);
  EXPECT_FALSE(store(":hunter%402@", "")->read({}).space) << "of another database";
  const std::string none = error_of([&] { store("", "/3")->read({}); });
  const std::string wrong = error_of([&] { store(":hunter3@", "/3")->read({}); });
  set_password("");
  EXPECT_NE(none.find("asks for a password"), std::string::npos) << none;
  EXPECT_NE(wrong.find("refused this user and password"), std::string::npos) << wrong;
  EXPECT_EQ(wrong.find("hunter"), std::string::npos) << wrong;
}

TEST(RedisStores, in_one_process_give_each_generator_a_node_id_and_each_namespace_its_own) {
  const std::string name = new_name();
  Generator one(leased(name)), other(leased(name)), elsewhere(leased(new_name()));
  EXPECT_NE(one.worker(), other.worker());
  EXPECT_EQ(elsewhere.worker(), one.worker());
  const auto ids = together(4, [&](int i, Ids& mine) {
    for (int n = 0; n < 1000; ++n) mine.push_back((i % 2 == 0 ? one : other).next_id());
  });
  EXPECT_EQ(expect_unique(ids), 4000U);
  const auto shared = redis_store(name);
  Generator third(on(shared, lease())), fourth(on(shared, lease()));
  EXPECT_NE(third.worker(), fourth.worker());
}

TEST(RedisStores, keep_ids_and_numbers_unique_through_a_kill_and_a_restart) {
  const std::string name = new_name();
  const auto store = redis_store(name), of_counter = redis_store(name);
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
    control("kill redis");
    EXPECT_EQ(take_until_failure(generator, ids), "store_unavailable");
    EXPECT_TRUE(comes([&] { return !take_number(); })) << "those that are held run out";
    control("start redis");
    ASSERT_TRUE(takes(generator, ids));
    for (int i = 0; i < 25; ++i) ASSERT_TRUE(comes(take_number));
  }
  Generator successor(leased(name));
  Ids later;
  ASSERT_TRUE(takes(successor, later));
  EXPECT_GT(expect_unique({ids, later}), 4U);
  EXPECT_GT(numbers.size(), 100U);
}

TEST(RedisStores, stop_at_the_end_of_the_window_while_redis_is_paused_and_go_on_above) {
  const std::string name = new_name();
  Generator generator(leased(name));
  Ids ids;
  ASSERT_TRUE(takes(generator, ids));
  control("pause redis");
  EXPECT_EQ(take_until_failure(generator, ids), "store_unavailable");
  EXPECT_EQ(code_in(error_of([&] { Generator{leased(name, kSoonMs)}; })), "store_unavailable") << "nothing answers";
  control("resume redis");
  ASSERT_TRUE(takes(generator, ids));
  Generator other(leased(name));
  Ids of_other;
  ASSERT_TRUE(takes(other, of_other));
  EXPECT_GT(expect_unique({ids, of_other}), 3U);
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

TEST(RedisStores, give_a_copy_of_the_process_ids_and_numbers_over_a_connection_of_its_own) {
  const auto store = redis_store(new_name());
  Generator generator(on(store, lease()));
  init_counter(*store, "invoices", 0);
  Segment invoices(*store, {"invoices", 10});
  std::vector<std::unique_ptr<Asker>> askers;
  for (int i = 0; i < kAskers; ++i) askers.push_back(std::make_unique<Asker>(store));
  // A node id may come again once the window of a copy that ended is over, but no id.
  std::set<std::string> ids = {generator.next_id_string()}, numbers = {invoices.next_id_string()};
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

// Last: it changes who is primary.
TEST(RedisStoresWithAReplica, keep_ids_unique_when_the_replica_is_promoted_and_its_primary_demoted) {
  const std::string name = new_name();
  control("replicate redis2 redis");
  Generator generator(leased(name));
  Ids ids, later;
  ASSERT_TRUE(takes(generator, ids));
  const auto of_replica = redis_store(name, "redis2");
  EXPECT_TRUE(comes([&] { return of_replica->read({}).space.has_value(); }));
  EXPECT_ERROR(Generator(on(of_replica, lease(kSoonMs))), store_unavailable);  // it takes no writes
  control("promote redis2");
  control("replicate redis redis2");
  EXPECT_EQ(take_until_failure(generator, ids), "store_unavailable");
  std::unique_ptr<Generator> successor;
  ASSERT_TRUE(comes([&] {
    return error_of([&] { successor = std::make_unique<Generator>(on(of_replica, lease(kSoonMs))); }) == "none";
  }));
  ASSERT_TRUE(takes(*successor, later));
  EXPECT_GE(expect_unique({ids, later}), 2U);
}

}  // namespace
}  // namespace polyflake::test
