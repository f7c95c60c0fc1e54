// The store in a folder of this host: what is written stays, torn and damaged files are told, and processes share it. That it
// answers as every store does: lease_scenarios_test.cpp.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "../faults/sibling.hpp"
#include "../faults/stopped_leases.hpp"
#include "copies.hpp"
#include "expect_error.hpp"
#include "os/locked_file.hpp"
#include "stores_in_trouble.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLayout = "polyflake";
constexpr std::int64_t kFloorMs = 1'600'000'000'000;

// By the true clock, as files have it: so it runs before the tests that stop the clock.
TEST(HostStoresInUse, whose_processes_renew_at_once_are_not_taken_for_put_back) {
  const FreshHome home;
  const auto store = std::make_shared<HostStore>(home.path(), "orders");
  constexpr int kProcesses = 4, kRenewals = 5;
  const Options options = on(store);
  const std::string incarnation = store->read({}).incarnation;
  std::vector<std::unique_ptr<Sibling>> processes;
  for (int i = 0; i < kProcesses; ++i) processes.push_back(std::make_unique<Sibling>(options));
  for (int i = 0; i < kProcesses; ++i) {
    ASSERT_EQ(processes[static_cast<std::size_t>(i)]->open(), "none");
    ASSERT_EQ(processes[static_cast<std::size_t>(i)]->worker(), std::to_string(i));
  }
  together(kProcesses, [&](int i, Ids&) {
    Sibling& mine = *processes[static_cast<std::size_t>(i)];
    for (int n = 0; n < kRenewals; ++n) EXPECT_EQ(mine.renew(), "none");
    EXPECT_EQ(mine.worker(), std::to_string(i));
  });
  const lease::Contents contents = store->read({{0, 1, 2, 3}});
  EXPECT_EQ(contents.incarnation, incarnation);
  EXPECT_TRUE(contents.space->settled);
  for (const auto& node : contents.nodes) EXPECT_TRUE(node);
}

class HostStores : public StoppedLeases, public testing::WithParamInterface<Fork> {
 protected:
  std::string file(const std::string& name, const std::string& in = "") const {
    return (in.empty() ? home.path() : in) + "/orders/" + name;
  }
  HostStore store(const std::string& in = "") const { return {in.empty() ? home.path() : in, "orders"}; }
  std::shared_ptr<Store> shared() const { return std::make_shared<HostStore>(home.path(), "orders"); }
  std::string init() const {
    HostStore made = store();
    return init_namespace(made, kLayout, {}, true);
  }

  // As a write that was cut off leaves the slot of this number of writes.
  static void tear(const std::string& path, int count) {
    std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(count % 2 * 4096 + 100);
    bytes.write("torn", 4);
  }
  static lease::Contents read(HostStore store, std::vector<std::uint64_t> nodes = {}) {
    lease::Read request;
    request.nodes = std::move(nodes);
    return store.read(request);
  }

  // Beyond what a writer that is held up is allowed; the times of files are the true ones.
  static void let_files_age() { sleep_truly(300); }
  // As an operator does while holders run: the files stay the same ones, with older contents.
  static void put_back(const std::string& backup, const std::string& into) {
    fs::copy(backup, into, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  // Node id 0, which is free afterwards.
  void use_a_node_id() const {
    Generator(on(shared())).next_id();
    pass_beside_waits(10'000'000);
  }
  static std::int64_t time_of(std::uint64_t id) { return Layout(kLayout).unpack(id).time_ms; }
};

TEST_F(HostStores, keep_what_was_written) {
  const std::string uuid = init();
  HostStore again = store();
  EXPECT_EQ(init_namespace(again, kLayout), uuid);
  raise_floor(again, kLayout, kFloorMs);
  const lease::Contents contents = read(store());
  EXPECT_EQ(contents.space->floor_ms, kFloorMs);
  EXPECT_TRUE(contents.store_ms);
  EXPECT_EQ(contents.incarnation, read(store()).incarnation);
}

TEST_F(HostStores, are_one_a_name) {
  init();
  EXPECT_FALSE(read(HostStore(home.path(), "other")).space);
}

TEST_F(HostStores, whose_namespace_was_torn_go_on_with_the_record_before_as_another_store) {
  init();
  HostStore operators = store();
  raise_floor(operators, kLayout, kFloorMs);
  const std::string incarnation = read(store()).incarnation;
  tear(file("names"), 2);
  const lease::Contents torn = read(store());
  EXPECT_EQ(torn.space->floor_ms, 0) << "the first of two";
  EXPECT_NE(torn.incarnation, incarnation) << "so that its floor is reckoned anew";
  raise_floor(operators, kLayout, kFloorMs + 1);
  EXPECT_EQ(read(store()).space->floor_ms, kFloorMs + 1);
  EXPECT_EQ(read(store()).incarnation, incarnation) << "whole again";
}

TEST_F(HostStores, whose_node_was_torn_have_none) {
  init();
  Generator generator(on(shared()));
  generator.renew();
  ASSERT_TRUE(read(store(), {0}).nodes.at(0));
  generator.close();  // the third write
  tear(file("0"), 3);
  EXPECT_FALSE(read(store(), {0}).nodes.at(0)) << "what the lost record promised is unknown";
  tear(file("0"), 2);
  EXPECT_ERROR(read(store(), {0}), registry_unusable);
}

TEST_F(HostStores, whose_namespace_is_damaged_are_refused) {
  init();
  HostStore operators = store();
  raise_floor(operators, kLayout, kFloorMs);
  tear(file("names"), 1);
  tear(file("names"), 2);
  EXPECT_ERROR(read(store()), registry_unusable);
  lease::Cas request;
  EXPECT_ERROR(store().cas(request), registry_unusable);
  EXPECT_ERROR(Generator(on(shared())), store_unavailable);
}

TEST_F(HostStores, that_were_copied_are_other_stores) {
  init();
  const std::string copy = home.beside("copy");
  fs::copy(home.path(), copy, fs::copy_options::recursive);
  EXPECT_EQ(read(store(copy)).space->uuid, read(store()).space->uuid);
  EXPECT_NE(read(store(copy)).incarnation, read(store()).incarnation);
}

TEST_F(HostStores, that_were_put_back_into_their_files_are_other_stores) {
  init();
  const std::string incarnation = read(store()).incarnation;
  let_files_age();
  std::fstream(file("names"), std::ios::in | std::ios::out | std::ios::binary).put('{').flush();
  EXPECT_NE(read(store()).incarnation, incarnation);
}

TEST_F(HostStores, that_were_put_back_are_settled_anew_before_a_node_id_is_taken) {
  init();
  use_a_node_id();
  const std::string backup = home.beside("backup");
  put_back(home.path(), backup);
  Generator holder(on(shared()));
  holder.next_id();
  ASSERT_EQ(holder.worker(), 0U);
  const std::int64_t until_ms = read(store(), {0}).nodes.at(0)->until_ms;
  let_files_age();
  put_back(backup, home.path());
  EXPECT_FALSE(read(store()).space->settled);
  Generator next(on(shared()));
  EXPECT_GE(time_of(next.next_id()), until_ms);
  EXPECT_TRUE(read(store()).space->settled);
}

TEST_F(HostStores, that_were_put_back_stay_unsettled_after_other_writes) {
  init();
  const std::string backup = home.beside("backup");
  put_back(home.path(), backup);
  let_files_age();
  put_back(backup, home.path());
  HostStore operators = store();
  raise_floor(operators, kLayout, kFloorMs);
  EXPECT_FALSE(read(store()).space->settled);
}

TEST_F(HostStores, whose_node_was_put_back_have_none) {
  init();
  use_a_node_id();
  const std::string backup = home.beside("node");
  fs::copy_file(file("0"), backup);
  Generator holder(on(shared()));
  holder.next_id();
  ASSERT_EQ(holder.worker(), 0U);
  let_files_age();
  fs::copy_file(backup, file("0"), fs::copy_options::overwrite_existing);
  EXPECT_FALSE(read(store(), {0}).nodes.at(0)) << "what the lost record promised is unknown";
  Generator next(on(shared()));
  EXPECT_NE(next.worker(), 0U);
}

TEST_F(HostStores, whose_node_was_replaced_by_a_copy_a_moment_ago_have_none) {
  init();
  const Generator holder(on(shared()));
  ASSERT_TRUE(read(store(), {0}).nodes.at(0));
  fs::copy_file(file("0"), file("copy"));
  fs::rename(file("copy"), file("0"));
  EXPECT_FALSE(read(store(), {0}).nodes.at(0));
}

TEST_F(HostStores, step_over_a_node_that_was_put_back_where_none_was_handed_out) {
  init();
  Generator first(on(shared()));
  fs::copy_file(file("0"), file("1"));
  EXPECT_TRUE(read(store(), {1}).nodes.at(0)) << "a holder may have it whom the namespace forgot";
  EXPECT_EQ(Generator(on(shared())).worker(), 2U);
}

TEST_F(HostStores, behind_a_link_that_was_switched_are_settled_anew) {
  const std::string link = home.beside("current"), targets[] = {home.beside("1"), home.beside("2")};
  for (const std::string& target : targets) {
    Generator(on(std::make_shared<HostStore>(target, "orders"))).next_id();
  }
  const auto point = [&](const std::string& target) {
    fs::create_directory_symlink(target, link + ".new");
    fs::rename(link + ".new", link);
  };
  const auto behind = [&] { return std::make_shared<HostStore>(link, "orders"); };
  pass_beside_waits(10'000'000);
  point(targets[0]);
  Generator holder(on(behind()));
  holder.next_id();
  ASSERT_EQ(holder.worker(), 0U);
  const std::int64_t until_ms = read(store(link), {0}).nodes.at(0)->until_ms;
  point(targets[1]);
  Generator next(on(behind()));
  EXPECT_GE(time_of(next.next_id()), until_ms);
  const std::string incarnation = read(store(link)).incarnation;
  EXPECT_EQ(incarnation, read(store(link)).incarnation);
}

TEST_F(HostStores, that_another_process_keeps_locked_are_not_waited_for_long) {
  init();
  LockedFile held(file("names"));
  ASSERT_EQ(held.try_lock(LockedFile::Missing::leave), LockedFile::Try::locked);
  const auto begin = Steady::now();
  EXPECT_ERROR(read(store()), store_unavailable);
  EXPECT_LT(since(begin), milliseconds(10'000));
}

TEST_F(HostStores, give_many_generators_different_node_ids) {
  init();
  constexpr int kGenerators = 4;
  std::vector<std::unique_ptr<Generator>> generators(kGenerators);
  const auto ids = together(kGenerators, [&](int i, Ids& mine) {
    let_own_timed_waits_pass_time();
    auto& generator = generators[static_cast<std::size_t>(i)];
    generator = std::make_unique<Generator>(on(shared()));
    for (int n = 0; n < 1000; ++n) mine.push_back(generator->next_id());
  });
  EXPECT_EQ(expect_unique(ids), kGenerators * 1000U);
  HostStore seen = store();
  EXPECT_EQ(leases(seen, kLayout).size(), static_cast<std::size_t>(kGenerators));
}

TEST_P(HostStores, give_another_process_another_node_id) {
  init();
  Generator generator(on(shared()));
  generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    Generator other(on(shared()));
    other.next_id();
    return std::to_string(other.worker());
  });
  EXPECT_EQ(said, "1");
}

TEST_P(HostStores, give_a_copy_of_the_process_another_node_id) {
  init();
  Generator generator(on(shared()));
  const std::uint64_t before = generator.next_id();
  const std::string said = in_copy(GetParam(), [&] {
    const std::uint64_t id = generator.next_id();
    return std::to_string(generator.worker()) + (id > before ? " above" : " below");
  });
  EXPECT_EQ(said, "1 above");
  generator.renew();
  EXPECT_EQ(generator.worker(), 0U);
}

TEST_P(HostStores, give_the_node_id_of_a_process_that_ended_to_another_after_its_window) {
  const std::string said = in_copy(GetParam(), [&] {
    auto* const leaked = new Generator(on(shared(), fresh(300)));
    return std::to_string(leaked->next_id());
  });
  EXPECT_TRUE(comes([&] {
    Generator next(on(shared(), fresh(300)));
    if (next.worker() != 0) {
      sleep_ns(30'000'000);  // each try takes its flushes
      return false;
    }
    EXPECT_GT(next.next_id(), std::stoull(said));
    return true;
  }));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HostStores);  // under ThreadSanitizer
INSTANTIATE_TEST_SUITE_P(ByEveryFork, HostStores, testing::ValuesIn(kForksBesideThreads));

}  // namespace
}  // namespace polyflake::test
