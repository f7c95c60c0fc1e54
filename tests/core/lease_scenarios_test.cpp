// Every scenario of tests/vectors/lease-scenarios.json on the stores of C++.
#include <polyflake/host_store.hpp>
#include <polyflake/memory_store.hpp>
#include <polyflake/namespaces.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "count/memory_stores.hpp"
#include "fresh_home.hpp"
#include "lease_scenarios.hpp"
#include "paths.hpp"

#if !defined(_WIN32)
#include "../../examples/cpp/file_store.hpp"
#endif

namespace polyflake::test {
namespace {

constexpr std::int64_t kNowMs = 1'767'225'600'123;

// make_store: makes the store of a namespace, which all clients share.
void run_all(const std::string& kind,
             const std::function<std::shared_ptr<Store>(const std::string& name)>& make_store) {
  std::map<std::string, std::shared_ptr<Store>> stores;
  const auto store_of = [&](const std::string& name, const std::string&) {
    auto& store = stores[name];
    if (store == nullptr) store = make_store(name);
    return store;
  };
  const Passed passed = run_scenarios(std::string(kVectors) + "lease-scenarios.json", kind, "", kNowMs, store_of);
  std::printf("scenarios: %zu of %zu passed (c++, %s)\n", passed.meant - passed.failures.size(), passed.meant,
              kind.c_str());
  EXPECT_GT(passed.meant, 0u);
  for (const std::string& failure : passed.failures) ADD_FAILURE() << failure;
}

#if !defined(_WIN32)
// The example of how to write a store.
TEST(LeaseScenarios, all_pass_in_a_store_of_ones_own) {
  const FreshHome folder;
  std::filesystem::create_directories(folder.path());
  run_all("own_store", [&](const auto& name) { return std::make_shared<FileStore>(folder.path() + "/" + name); });
}
#endif

TEST(LeaseScenarios, all_pass_in_a_folder_of_this_host) {
  const FreshHome folder;
  run_all("host", [&](const auto& name) { return std::make_shared<HostStore>(folder.path(), name); });
}

TEST(LeaseScenarios, all_pass_in_memory) {
  run_all("memory", [](const auto&) { return std::make_shared<MemoryStore>(); });
}

TEST(LeaseScenarios, all_pass_in_memory_with_a_clock) {
  run_all("memory_with_clock", [](const auto&) { return std::make_shared<MemoryStore>([] { return kNowMs; }); });
}

TEST(LeaseScenarios, who_creates_at_once_in_memory_has_a_node_alone) {
  constexpr std::size_t kCreators = 4, kCreatedByEach = 50;
  const auto store = std::make_shared<MemoryStore>();
  init_namespace(*store, Layout("polyflake"));
  std::vector<std::future<Json>> creators(kCreators);
  for (auto& creator : creators) {
    creator = std::async(std::launch::async, [&] { return Client(store, kNowMs).create(kCreatedByEach); });
  }
  Json created = Json::object();
  for (auto& creator : creators) created.update(creator.get());
  ASSERT_EQ(created.size(), kCreators * kCreatedByEach);
  for (const auto& item : created.items()) {
    const Json found = Client(store, kNowMs).read({item.key()});
    EXPECT_EQ(found.at(item.key()).at("nonce"), item.value());
  }
}

}  // namespace
}  // namespace polyflake::test
