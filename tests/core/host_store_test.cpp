// The store in a folder of this host: what is written stays, torn and damaged files are told, and processes share it. That it
// answers as every store does: lease_scenarios_test.cpp.
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "../faults/stopped_leases.hpp"
#include "copies.hpp"
#include "expect_error.hpp"
#include "os/locked_file.hpp"
#include "stores_in_trouble.hpp"
#include "together.hpp"

namespace polyflake::test {
namespace {

constexpr const char* kLayout = "polyflake";
constexpr std::int64_t kFloorMs = 1'600'000'000'000;

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
};

TEST_F(HostStores, keep_what_was_written) {
  const std::string uuid = init();
  HostStore again = store();
  EXPECT_EQ(init_namespace(again, kLayout), uuid);
  raise_floor(again, kLayout, kFloorMs);
  const lease::Contents contents = read(store());
  EXPECT_EQ(contents.names->floor_ms, kFloorMs);
  EXPECT_TRUE(contents.store_ms);
  EXPECT_EQ(contents.incarnation, read(store()).incarnation);
}

TEST_F(HostStores, are_one_a_name) {
  init();
  EXPECT_FALSE(read(HostStore(home.path(), "other")).names);
}

TEST_F(HostStores, whose_namespace_was_torn_go_on_with_the_record_before_as_another_store) {
  init();
  HostStore operators = store();
  raise_floor(operators, kLayout, kFloorMs);
  const std::string incarnation = read(store()).incarnation;
  tear(file("names"), 2);
  const lease::Contents torn = read(store());
  EXPECT_EQ(torn.names->floor_ms, 0) << "the first of two";
  EXPECT_NE(torn.incarnation, incarnation) << "so that its floor is reckoned anew";
  raise_floor(operators, kLayout, kFloorMs + 1);
  EXPECT_EQ(read(store()).names->floor_ms, kFloorMs + 1);
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
  std::filesystem::copy(home.path(), copy, std::filesystem::copy_options::recursive);
  EXPECT_EQ(read(store(copy)).names->uuid, read(store()).names->uuid);
  EXPECT_NE(read(store(copy)).incarnation, read(store()).incarnation);
}

TEST_F(HostStores, that_were_put_back_into_their_files_are_other_stores) {
  init();
  const std::string incarnation = read(store()).incarnation;
  sleep_truly(300);  // beyond what a writer that is held up is allowed; the times of files are the true ones
  std::fstream(file("names"), std::ios::in | std::ios::out | std::ios::binary).put('{').flush();
  EXPECT_NE(read(store()).incarnation, incarnation);
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

INSTANTIATE_TEST_SUITE_P(ByEveryFork, HostStores, testing::ValuesIn(kForksBesideThreads));

}  // namespace
}  // namespace polyflake::test
