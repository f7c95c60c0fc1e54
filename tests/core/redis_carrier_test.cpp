// Leases of C++ in a real Redis: only what is special to it. carrier_contract_test.cpp and
// carrier_connections_test.cpp have the rest, which all stores share.
#include <polyflake/polyflake.hpp>
#include <polyflake/redis_carrier.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "expect_error.hpp"
#include "stores_in_trouble.hpp"
#include "tested_leases.hpp"
#include "tested_store.hpp"
#include "together.hpp"

namespace polyflake::test {

const TestedStore kTestedStore{
    "redis",
    "redis",
    1000,
    [](const std::string& address) -> std::shared_ptr<Carrier> { return std::make_shared<RedisCarrier>(address); },
    {"command", {{"PING"}, {"key", "alone"}}},
    false};

namespace {

TEST(RedisStores, need_the_password_of_the_server_and_keep_to_their_database) {
  const std::string name = new_name(), address = address_of("redis");
  const std::string host = address.substr(address.find("//") + 2);
  const auto store = [&](const std::string& login, const std::string& path) {
    return patient_store_at("redis://" + login + host + path, name);
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

// They change who is primary, so no other test has these servers.
TEST(RedisStoresWithAReplica, keep_ids_unique_when_the_replica_is_promoted_and_its_primary_demoted) {
  const std::string name = new_name();
  control("replicate redis3 redis2");
  Generator generator(on(store_of_tests(name, "redis2"), lease()));
  Ids ids, later;
  ASSERT_TRUE(takes(generator, ids));
  const auto of_replica = store_of_tests(name, "redis3");
  EXPECT_TRUE(comes([&] { return of_replica->read({}).space.has_value(); }));
  EXPECT_ERROR(Generator(on(of_replica, lease(kSoonMs))), store_unavailable);  // it takes no writes
  control("promote redis3");
  control("replicate redis2 redis3");
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
