// Which copies of a Redis count: how servers are called, what a namespace names, and when a write counts.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expect_error.hpp"
#include "lease/redis_copies.hpp"

namespace polyflake::lease {
namespace {

using Kind = Confirmation::Step::Kind;
using Names = std::vector<std::string>;

constexpr const char* kReign = "run:id:2+0";

Replication primary_with(const std::vector<Replication::Replica>& replicas, std::uint64_t offset = 100) {
  Replication seen;
  seen.is_primary = true;
  seen.offset = offset;
  seen.count = replicas.size();
  seen.replicas = replicas;
  return seen;
}

Confirmation of_three() { return {{{"a:1", "b:1", "c:1"}, false}, "a:1", kReign, false, 500}; }

TEST(Replication, is_what_a_primary_says_of_itself) {
  const Replication seen = replication_in(
      "# Replication\r\nrole:master\r\nconnected_slaves:2\r\n"
      "slave0:ip=10.0.0.2,port=6379,state=online,offset=90,lag=0\r\n"
      "slave1:ip=fd00::3,port=6380,state=wait_bgsave,offset=0,lag=7\r\n"
      "master_replid:abc\r\nmaster_repl_offset:100\r\nsecond_repl_offset:-1\r\n");
  EXPECT_TRUE(seen.is_primary);
  EXPECT_FALSE(seen.was_replica);
  EXPECT_EQ(seen.offset, 100U);
  EXPECT_EQ(seen.count, 2U);
  ASSERT_EQ(seen.replicas.size(), 2U);
  EXPECT_EQ(seen.replicas[0].name, "10.0.0.2:6379");
  EXPECT_TRUE(seen.replicas[0].is_online);
  EXPECT_EQ(seen.replicas[0].offset, 90U);
  EXPECT_EQ(seen.replicas[1].name, "[fd00::3]:6380");
  EXPECT_FALSE(seen.replicas[1].is_online);
  EXPECT_ERROR(replication_in("role:master\r\n"), store_unavailable);
}

TEST(NamesOfServers, are_what_is_announced_or_the_end_of_the_connection) {
  const std::string client = "id=3 addr=10.0.0.9:5000 laddr=10.0.0.1:6379 fd=8 name=laddr=x";
  EXPECT_EQ(name_of_server("", "0", client), "10.0.0.1:6379");
  EXPECT_EQ(name_of_server("redis-1", "0", client), "redis-1:6379");
  EXPECT_EQ(name_of_server("redis-1", "7000", client), "redis-1:7000");
  EXPECT_EQ(name_of_server("", "", "addr=[::1]:5 laddr=[::1]:6379"), "[::1]:6379");
  EXPECT_EQ(name_of_server("", "0", "addr=/run/redis:0 laddr=/run/redis:0"), "");
}

TEST(FirstCopies, are_the_primary_and_its_replicas_where_each_has_a_name) {
  const Replication seen = primary_with({{"b:1", true, 0}, {"a:1", true, 0}});
  EXPECT_EQ(first_copies("c:1", seen), (Names{"a:1", "b:1", "c:1"}));
  EXPECT_EQ(first_copies("", seen), Names{});
  EXPECT_EQ(first_copies("127.0.0.1:1", seen), Names{}) << "each host has one of that name";
  EXPECT_EQ(first_copies("a:1", seen), Names{}) << "two servers have this name";
  EXPECT_EQ(first_copies("c:1", primary_with({})), Names{});
  EXPECT_EQ(first_copies("c:1", primary_with({{"d:0", true, 0}})), Names{}) << "it takes a dump";
  EXPECT_EQ(first_copies("127.0.0.1:1", primary_with({{"127.0.0.1:2", true, 0}})),
            (Names{"127.0.0.1:1", "127.0.0.1:2"}));
}

TEST(Copies, of_an_operator_are_addresses_with_ports) {
  EXPECT_EQ(copies_of("b:2,a:1,b:2"), (Names{"a:1", "b:2"}));
  for (const char* const wrong : {"", "a", "a:", ":1", "a:0", "a:65536", "a b:1", "a:1,127.0.0.1:1"}) {
    EXPECT_ERROR(copies_of(wrong), option_invalid);
  }
}

TEST(Confirmations, need_more_than_half_of_the_named_copies_at_the_offset_of_the_first_look) {
  Confirmation confirmation = of_three();
  EXPECT_EQ(confirmation.written(primary_with({})).kind, Kind::look);
  const Confirmation::Step step = confirmation.looked(kReign, primary_with({{"b:1", true, 99}, {"x:1", true, 100}}));
  EXPECT_EQ(step.kind, Kind::wait);
  EXPECT_EQ(step.replicas, 1U);
  EXPECT_EQ(confirmation.waited(1).kind, Kind::look) << "that may be the stranger";
  // Others have written meanwhile.
  EXPECT_EQ(confirmation.looked(kReign, primary_with({{"b:1", true, 100}, {"x:1", true, 100}}, 200)).kind,
            Kind::counts);
}

TEST(Confirmations, fail_where_too_few_of_the_named_are_there_and_say_who) {
  Confirmation confirmation = of_three();
  confirmation.written(primary_with({}));
  const Confirmation::Step step = confirmation.looked(kReign, primary_with({{"x:1", true, 100}, {"b:1", false, 100}}));
  EXPECT_EQ(step.kind, Kind::fails);
  EXPECT_NE(step.reason.find("a:1 confirmed, b:1, c:1 did not; not among them: x:1"), std::string::npos) << step.reason;
}

TEST(Confirmations, fail_in_another_reign) {
  Replication demoted = primary_with({{"b:1", true, 100}});
  demoted.is_primary = false;
  EXPECT_EQ(of_three().looked(kReign, demoted).kind, Kind::fails);
  EXPECT_EQ(of_three().looked("run:id:3+0", primary_with({{"b:1", true, 100}})).kind, Kind::fails);
}

TEST(Confirmations, of_a_namespace_without_copies_need_a_server_that_never_had_a_replica) {
  const auto kind = [](const Replication& seen) {
    return Confirmation({{}, false}, "", kReign, false, 500).written(seen).kind;
  };
  EXPECT_EQ(kind(primary_with({})), Kind::counts);
  EXPECT_EQ(kind(primary_with({{"b:1", true, 100}})), Kind::fails);
  Replication promoted = primary_with({});
  promoted.was_replica = true;
  EXPECT_EQ(kind(promoted), Kind::fails);
}

TEST(Confirmations, of_a_fenced_namespace_count_whoever_is_there) {
  Confirmation confirmation({{}, true}, "", kReign, false, 500);
  const Confirmation::Step step =
      confirmation.written(primary_with({{"x:1", true, 0}, {"y:1", true, 0}, {"z:1", true, 0}}));
  EXPECT_EQ(step.kind, Kind::wait);
  EXPECT_EQ(step.replicas, 2U);
  EXPECT_EQ(confirmation.waited(1).kind, Kind::fails);
  EXPECT_EQ(confirmation.waited(2).kind, Kind::counts);
}

TEST(Confirmations, count_nothing_that_a_replica_wrote) {
  Replication replica = primary_with({});
  replica.is_primary = false;
  for (const bool fenced : {true, false}) {
    EXPECT_EQ(Confirmation({{}, fenced}, "", kReign, false, 500).written(replica).kind, Kind::fails) << fenced;
  }
}

}  // namespace
}  // namespace polyflake::lease
