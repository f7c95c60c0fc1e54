// Leases of C++ in a real etcd: only what is special to it. carrier_contract_test.cpp and
// carrier_connections_test.cpp have the rest, which all stores share.
#include <polyflake/etcd_carrier.hpp>
#include <polyflake/polyflake.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "expect_error.hpp"
#include "listener.hpp"
#include "tested_leases.hpp"
#include "tested_store.hpp"

namespace polyflake::test {

const TestedStore kTestedStore{
    "etcd",
    "etcd",
    300,
    [](const std::string& address) -> std::shared_ptr<Carrier> { return std::make_shared<EtcdCarrier>(address); },
    {"txn", {{"get", "polyflake/none"}}},
    true};

namespace {

using lease::Command;
using lease::Reply;

std::string address() { return address_of("etcd"); }
std::string address_with_users() { return address_of("etcd2"); }

std::string code_of(Carrier& carrier, const Command& command = kTestedStore.harmless) {
  try {
    carrier.carry(command, kLongMs);
  } catch (const lease::CommandFailure& failure) {
    EXPECT_EQ(std::string(failure.what()).find("hunter2"), std::string::npos) << failure.what();
    return failure.code();
  }
  return "none";
}

// Asks the gateway for something that no lease does. Requires: curl.
void administrate(const std::string& path, const std::string& body) {
  const std::string url = "http" + address_with_users().substr(address().find(':')) + path;
  ASSERT_EQ(std::system(("curl -fsS -o /dev/null -d '" + body + "' " + url).c_str()), 0);
}

TEST(EtcdStores, compare_then_write_and_read_in_one_step) {
  EtcdCarrier carrier(address());
  const std::string key = new_name(), zero("a\0\xff", 3);
  const Reply made =
      carrier.carry({"txn", {{"compare", key, "create", "0"}, {"put", key, zero}, {"get", key}}}, kLongMs);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].at(0), "ok");
  ASSERT_EQ(made[1].size(), 2U);
  EXPECT_EQ(made[1][0], zero);
  EXPECT_EQ(made[1][1], made[0].at(2)) << "the revision of its creation";
  const Reply again =
      carrier.carry({"txn", {{"compare", key, "create", "0"}, {"put", key, "b"}, {"get", key}}}, kLongMs);
  EXPECT_EQ(again[0].at(0), "refused");
  EXPECT_EQ(again[1].at(0), zero);
  const Reply by_value = carrier.carry(
      {"txn", {{"compare", key, "value", zero}, {"put", key, ""}, {"get", "none"}, {"get", key}}}, kLongMs);
  EXPECT_EQ(by_value[0].at(0), "ok");
  EXPECT_EQ(by_value[1], lease::Row{});
  EXPECT_EQ(by_value[2].at(0), "");
  EXPECT_EQ(by_value[0].at(1), made[0].at(1)) << "the cluster";
  const std::int64_t server_ms = std::stoll(by_value[0].at(3).value());
  EXPECT_EQ(server_ms % 1000, 0);
  EXPECT_NEAR(static_cast<double>(server_ms), static_cast<double>(SystemClock::read_ms()), 60'000);
  for (const char* const name : {"/1", "/2", "0"}) carrier.carry({"txn", {{"put", key + name, "x"}}}, kLongMs);
  EXPECT_EQ(carrier.carry({"txn", {{"keys", key + "/", key + "0"}}}, kLongMs)[1], (lease::Row{key + "/1", key + "/2"}));
}

TEST(EtcdStores, refuse_an_address_that_they_cannot_use_without_the_password) {
  for (const std::string bad :
       {"etcds://u:hunter2@h", "etcd://u:hunter2@h?cacert=a", "etcd://u:hunter2@h:0", "etcd://hunter2@h",
        "etcd://:hunter2@h", "etcd://u:hunter2@h,i:x", "etcd://u:hunter2%@h", "etcd://u:hunter2@h/path"}) {
    const std::string failure = error_of([&] { EtcdCarrier{bad}; });
    EXPECT_EQ(code_in(failure), bad.find('?') == std::string::npos ? "worker_source_invalid" : "option_invalid")
        << failure;
    EXPECT_EQ(failure.find("hunter2"), std::string::npos) << failure;
  }
  for (const std::string good : {"etcd://", "etcd://h", "etcd://u:p%40@h:1,[::1]:2,i/"}) {
    EXPECT_EQ(error_of([&] { EtcdCarrier{good}; }), "none") << good;
  }
}

TEST(EtcdStores, go_on_if_each_answer_ends_its_connection) {
  const std::string body = R"({"header":{"cluster_id":"1","revision":"2"},"responses":[{"response_range":{}}]})";
  Listener server([&](Peer& peer) {
    peer.hear_some();
    peer.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
             body);
    peer.hear_some();
  });
  EtcdCarrier carrier("etcd://127.0.0.1:" + std::to_string(server.port()));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(code_of(carrier), "none");
  EXPECT_EQ(server.connections(), 5);
}

TEST(EtcdStores, do_not_take_an_endless_answer) {
  Listener server([&](Peer& peer) {
    peer.hear_some();
    peer.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string piece = "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
    while (peer.say(piece)) {
    }
  });
  EtcdCarrier carrier("etcd://127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(code_of(carrier), "");
}

// From then on this server asks for a password; no other test has it.
TEST(EtcdStoresWithUsers, need_the_password_of_the_server) {
  administrate("/v3/auth/user/add", R"({"name":"root","password":"hunter2@"})");
  administrate("/v3/auth/user/add", R"({"name":"guest","password":"guest"})");
  administrate("/v3/auth/user/grant", R"({"user":"root","role":"root"})");
  administrate("/v3/auth/enable", "{}");
  const std::string host = address_with_users().substr(address().find("//") + 2);
  const auto code_with = [&](const std::string& login) {
    EtcdCarrier carrier("etcd://" + login + host);
    return code_of(carrier);
  };
  EXPECT_EQ(code_with("root:hunter2%40@"), "none");
  EXPECT_EQ(code_with("root:hunter2@"), "400");
  EXPECT_EQ(code_with(""), "400");
  EXPECT_EQ(code_with("guest:guest@"), "403");
  const auto store = [&](const std::string& login) { return patient_store_at("etcd://" + login + host, new_name()); };
  const auto allowed = store("root:hunter2%40@");
  init_namespace(*allowed, "polyflake", fresh(), true);
  Generator generator(on(allowed, lease()));
  Ids ids;
  EXPECT_TRUE(takes(generator, ids));
  const std::string refused = error_of([&] { store("root:hunter2@")->read({}); });
  EXPECT_NE(refused.find("refused this user and password"), std::string::npos) << refused;
  const std::string forbidden = error_of([&] { store("guest:guest@")->read({}); });
  EXPECT_NE(forbidden.find("may not read and write the keys"), std::string::npos) << forbidden;
}

}  // namespace
}  // namespace polyflake::test
