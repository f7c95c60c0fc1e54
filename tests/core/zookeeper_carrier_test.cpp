// Leases of C++ in a real ZooKeeper: only what is special to it. carrier_contract_test.cpp and
// carrier_connections_test.cpp have the rest, which all stores share.
#include <polyflake/polyflake.hpp>
#include <polyflake/zookeeper_carrier.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <zookeeper/zookeeper.h>

#include "expect_error.hpp"
#include "tested_leases.hpp"
#include "tested_store.hpp"

extern "C" ZooLogLevel logLevel;  // of the client: the level of all its sessions

namespace polyflake::test {

const TestedStore kTestedStore{
    "zookeeper",
    "zookeeper",
    300,
    [](const std::string& address) -> std::shared_ptr<Carrier> { return std::make_shared<ZooKeeperCarrier>(address); },
    {"get", {{"/zookeeper"}}},
    true};

namespace {

using lease::Command;
using lease::Reply;
using lease::Row;

std::string address() { return address_of("zookeeper"); }

std::string code_of(Carrier& carrier, const Command& command) {
  try {
    carrier.carry(command, kLongMs);
  } catch (const lease::CommandFailure& failure) {
    return failure.code();
  }
  return "none";
}

TEST(ZooKeeperStores, carry_out_all_of_a_multi_or_nothing_of_it) {
  ZooKeeperCarrier carrier(address());
  const auto ask = [&](const std::string& name, const std::vector<std::vector<std::string>>& parts) {
    return carrier.carry({name, parts}, kLongMs);
  };
  const Reply ok{{"ok"}}, refused{{"refused"}};
  const std::string path = "/" + new_name(), zero("a\0\xff", 3);
  EXPECT_EQ(ask("get", {{path}}), Reply{{}});
  EXPECT_EQ(ask("multi", {{"create", path, zero}, {"create", path + "/b", ""}}), ok);
  const Reply found = ask("get", {{path}, {path + "/c"}, {path + "/b"}});
  ASSERT_EQ(found.size(), 3U);
  ASSERT_EQ(found[0].size(), 4U);
  EXPECT_EQ(found[0][0], zero);
  EXPECT_EQ(found[0][1], "0");
  EXPECT_NEAR(std::stod(*found[0][2]), static_cast<double>(SystemClock::read_ms()), 60'000);
  EXPECT_EQ(found[0][3], "1");
  EXPECT_EQ(found[1], Row{});
  EXPECT_EQ(found[2][0], "");
  EXPECT_EQ(ask("multi", {{"set", path, "0", "c"}, {"create", path + "/b", ""}}), refused);
  EXPECT_EQ(ask("multi", {{"set", path, "1", "c"}}), refused);
  EXPECT_EQ(ask("multi", {{"check", path + "/c", "-1"}, {"set", path, "-1", "c"}}), refused);
  EXPECT_EQ(ask("multi", {{"delete", path, "-1"}}), refused) << "it has a child";
  EXPECT_EQ(ask("get", {{path}})[0][1], "0") << "nothing was written";
  EXPECT_EQ(ask("multi", {{"check", path, "0"}, {"set", path, "0", "c"}, {"delete", path + "/b", "-1"}}), ok);
  EXPECT_EQ(ask("get", {{path}})[0][0], "c");
  EXPECT_EQ(ask("get", {{path}})[0][3], "0");
  const std::string large(500'000, 'x');
  EXPECT_EQ(ask("multi", {{"set", path, "-1", large}}), ok);
  EXPECT_EQ(ask("get", {{path}})[0][0], large);
}

TEST(ZooKeeperStores, make_the_folders_that_are_missing_and_list_them) {
  ZooKeeperCarrier carrier(address());
  const std::string path = "/" + new_name();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(carrier.carry({"ensure", {{path + "/a/b"}, {path + "/c"}}}, kLongMs), Reply{});
  Reply names = carrier.carry({"children", {{path}, {path + "/none"}, {path + "/a"}}}, kLongMs);
  std::sort(names.at(0).begin(), names.at(0).end());
  EXPECT_EQ(names, (Reply{{"a", "c"}, {}, {"b"}}));
}

TEST(ZooKeeperStores, fail_with_the_number_of_an_error) {
  ZooKeeperCarrier carrier(address());
  EXPECT_EQ(code_of(carrier, {"get", {{"no slash"}}}), "-8");
  EXPECT_EQ(code_of(carrier, {"multi", {{"set", "/zookeeper", "none", ""}}}), "");
  EXPECT_EQ(code_of(carrier, {"multi", {{"set", "/zookeeper", "-2", ""}}}), "");
  EXPECT_EQ(code_of(carrier, {"get", {{"/zookeeper"}}}), "none");
}

TEST(ZooKeeperStores, are_below_the_folder_of_their_address) {
  ZooKeeperCarrier operators(address());
  const std::string folder = "/" + new_name(), name = new_name();
  const auto there = patient_store_at(address() + folder, name);
  const std::string missing = error_of([&] { init_namespace(*there, "polyflake"); });
  EXPECT_EQ(code_in(missing), "store_unavailable") << missing;
  operators.carry({"ensure", {{folder}}}, kLongMs);
  init_namespace(*there, "polyflake", fresh(), true);
  EXPECT_TRUE(there->read({}).space);
  EXPECT_FALSE(patient_store(name)->read({}).space);
  EXPECT_FALSE(operators.carry({"get", {{folder + "/polyflake/" + name}}}, kLongMs)[0].empty());
}

TEST(ZooKeeperStores, show_their_user_and_password) {
  ZooKeeperCarrier operators(address());
  const std::string host = address().substr(address().find("//") + 2);
  ZooKeeperCarrier user("zookeeper://orders:hunter%402@" + host);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(code_of(user, kTestedStore.harmless), "none");
}

// A program that has set the level and the stream of the client for sessions of its own.
class LoggingProgram {
 public:
  LoggingProgram() : stream_(::open_memstream(&text_, &size_)), level_(logLevel) {
    zoo_set_log_stream(stream_);
    zoo_set_debug_level(ZOO_LOG_LEVEL_DEBUG);
  }
  LoggingProgram(const LoggingProgram&) = delete;
  LoggingProgram& operator=(const LoggingProgram&) = delete;
  ~LoggingProgram() {
    zoo_set_log_stream(nullptr);
    zoo_set_debug_level(level_);
    std::fclose(stream_);
    std::free(text_);
  }
  std::string log() const {
    std::fflush(stream_);
    return std::string(text_, size_);
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* const stream_;
  const ZooLogLevel level_;
};

TEST(ZooKeeperStores, leave_the_log_of_the_client_to_the_program) {
  const LoggingProgram program;
  ZooKeeperCarrier carrier(address()), lonely("zookeeper://127.0.0.1:1");
  EXPECT_EQ(code_of(carrier, {"ensure", {{"/" + new_name()}}}), "none");
  EXPECT_EQ(code_of(carrier, {"multi", {{"set", "/" + new_name(), "0", ""}}}), "none");
  EXPECT_EQ(code_of(lonely, kTestedStore.harmless), "ECONNREFUSED");
  carrier.drop();
  EXPECT_EQ(program.log(), "");
  EXPECT_EQ(logLevel, ZOO_LOG_LEVEL_DEBUG);
  zookeeper_close(zookeeper_init("127.0.0.1:1", nullptr, 1000, nullptr, nullptr, 0));
  EXPECT_NE(program.log().find("Initiating client connection"), std::string::npos) << program.log();
}

TEST(ZooKeeperStores, refuse_an_address_that_they_cannot_use_without_the_password) {
  for (const std::string bad :
       {"zookeeper://u:hunter2@h?a=b", "zookeeper://u:hunter2@h:0", "zookeeper://hunter2@h", "zookeeper://:hunter2@h",
        "zookeeper://u:hunter2@h,i:x", "zookeeper://u:hunter2%@h", "zookeeper://u:hunter2@h/a/"}) {
    const std::string failure = error_of([&] { ZooKeeperCarrier{bad}; });
    EXPECT_EQ(code_in(failure), bad.find('?') == std::string::npos ? "worker_source_invalid" : "option_invalid")
        << failure;
    EXPECT_EQ(failure.find("hunter2"), std::string::npos) << failure;
  }
  for (const std::string good : {"zookeeper://", "zookeeper://h/", "zookeeper://u:p%40@h:1,[::1]:2,i/a/b"}) {
    EXPECT_EQ(error_of([&] { ZooKeeperCarrier{good}; }), "none") << good;
  }
}

}  // namespace
}  // namespace polyflake::test
