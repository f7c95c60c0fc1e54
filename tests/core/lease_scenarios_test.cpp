// Every scenario of tests/vectors/lease-scenarios.json on the store in memory. The format is described in
// tests/vectors/README.md; there is no list of exceptions.
#include <polyflake/host_store.hpp>
#include <polyflake/memory_store.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fresh_home.hpp"
#include "lease/random.hpp"
#include "lease/trial.hpp"

#if !defined(_WIN32)
#include "../../examples/cpp/file_store.hpp"
#endif

namespace polyflake::test {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kNowMs = 1'767'225'600'123;

class CountingRandom final : public lease::Random {
 public:
  std::uint64_t bits() override { return ++count_; }

 private:
  std::uint64_t count_ = 0;
};

// One process that talks to a store, and what it remembers.
class Client {
 public:
  explicit Client(Store& store) : store_(store), trial_(random_, kNowMs) {}

  // A record by its name: its fields, or "absent".
  std::map<std::string, Json> read(const Json& nodes) {
    std::vector<std::uint64_t> ids;
    std::map<std::string, Json> found = {{"names", "absent"}};
    for (const Json& node : nodes) {
      ids.push_back(std::stoull(node.get<std::string>()));
      found[node.get<std::string>()] = "absent";
    }
    trial_.ask(std::move(ids));
    carry_out();
    for (const std::string& line : trial_.found()) {
      const std::size_t dot = line.find('.'), equals = line.find('=');
      Json& record = found.at(line.substr(0, dot));
      if (record == "absent") record = Json::object();
      record[line.substr(dot + 1, equals - dot - 1)] = line.substr(equals + 1);
    }
    return found;
  }

  std::string cas(const Json& given) {
    lease::Assignments assignments;
    for (const auto& item : given.items()) assignments.emplace_back(item.key(), item.value().get<std::string>());
    trial_.ask(assignments);
    carry_out();
    return trial_.outcome();
  }

 private:
  void carry_out() {
    for (;;) {
      const lease::Action action = trial_.next();
      if (action.kind == lease::Action::Kind::done) return;
      if (action.kind == lease::Action::Kind::read) {
        trial_.deliver(action.number, store_.read(action.read));
      } else {
        trial_.deliver(action.number, store_.cas(action.cas));
      }
    }
  }

  Store& store_;
  CountingRandom random_;
  lease::Trial trial_;
};

using MakeStore = std::function<std::unique_ptr<Store>()>;

// The record with "*" where that is expected.
Json known_of(Json record, const Json& expected) {
  if (!record.is_object() || !expected.is_object()) return record;
  for (const auto& item : expected.items()) {
    if (item.value() == "*" && record.contains(item.key())) record[item.key()] = "*";
  }
  return record;
}

void check(Client& client, const Json& step) {
  if (step.contains("read")) {
    auto found = client.read(step.at("read"));
    const Json& expected = step.at("found");
    for (auto& [name, record] : found) record = known_of(record, expected.at(name));
    if (Json(found) != expected) throw std::runtime_error("it finds " + Json(found).dump());
  } else {
    const std::string outcome = client.cas(step.at("cas"));
    if (outcome != step.at("outcome")) throw std::runtime_error("the outcome is " + outcome);
  }
}

bool passes(const Json& scenario, const MakeStore& make_store) {
  std::map<std::string, std::unique_ptr<Store>> stores;  // by the name of a namespace
  std::map<std::string, Client> clients;
  std::size_t number = 0;
  try {
    for (const Json& step : scenario.at("steps")) {
      ++number;
      const std::string name = step.value("namespace", "");
      auto& store = stores[name];
      if (store == nullptr) store = make_store();
      check(clients.try_emplace(name + " " + step.value("client", ""), *store).first->second, step);
    }
    return true;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "scenario " << scenario.at("id") << " (" << scenario.at("name") << "), step " << number << ": "
                  << error.what();
    return false;
  }
}

void run_all(const std::string& kind, const MakeStore& make_store) {
  std::ifstream file(POLYFLAKE_LEASE_SCENARIOS);
  const Json document = Json::parse(file);
  const auto facts = document.at("kinds").at(kind).get<std::set<std::string>>();
  std::size_t total = 0, meant = 0, passed = 0;
  for (const Json& scenario : document.at("scenarios")) {
    ++total;
    bool is_meant = true;
    for (const auto& need : scenario.value("needs", std::vector<std::string>{})) {
      is_meant = is_meant && facts.count(need) == 1;
    }
    if (!is_meant) continue;
    ++meant;
    passed += passes(scenario, make_store) ? 1 : 0;
  }
  std::printf("scenarios: %zu of %zu passed (c++, %s)\n", passed, meant, kind.c_str());
  EXPECT_EQ(passed, meant);
  EXPECT_EQ(total, document.at("number_of_scenarios").get<std::size_t>());
}

#if !defined(_WIN32)
// The example of how to write a store.
TEST(LeaseScenarios, all_pass_in_a_store_of_ones_own) {
  const FreshHome folder;
  std::filesystem::create_directories(folder.path());
  int stores = 0;
  run_all("own_store",
          [&] { return std::make_unique<FileStore>(folder.path() + "/leases" + std::to_string(++stores)); });
}
#endif

TEST(LeaseScenarios, all_pass_in_a_folder_of_this_host) {
  const FreshHome folder;
  int stores = 0;
  run_all("host", [&] { return std::make_unique<HostStore>(folder.path(), std::to_string(++stores)); });
}

TEST(LeaseScenarios, all_pass_in_memory) {
  run_all("memory", [] { return std::make_unique<MemoryStore>(); });
}

TEST(LeaseScenarios, all_pass_in_memory_with_a_clock) {
  run_all("memory_with_clock", [] { return std::make_unique<MemoryStore>([] { return kNowMs; }); });
}

}  // namespace
}  // namespace polyflake::test
