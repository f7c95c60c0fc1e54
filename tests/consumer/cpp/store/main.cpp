// A first program with a store; it fails unless it is told that nothing listens at port 1.
#include <polyflake/polyflake.hpp>

#include <cstdio>
#include <memory>
#include <string>

#if defined(STORE_redis)
#include <polyflake/redis_carrier.hpp>
using OfStore = polyflake::RedisCarrier;
constexpr char kKind[] = "redis";
#elif defined(STORE_postgresql)
#include <polyflake/postgresql_carrier.hpp>
using OfStore = polyflake::PostgreSqlCarrier;
constexpr char kKind[] = "postgresql";
#elif defined(STORE_etcd)
#include <polyflake/etcd_carrier.hpp>
using OfStore = polyflake::EtcdCarrier;
constexpr char kKind[] = "etcd";
#elif defined(STORE_zookeeper)
#include <polyflake/zookeeper_carrier.hpp>
using OfStore = polyflake::ZooKeeperCarrier;
constexpr char kKind[] = "zookeeper";
#endif

int main() try {
  const auto carrier = std::make_shared<OfStore>(std::string(kKind) + "://127.0.0.1:1");
  polyflake::init_namespace(*polyflake::carried_store(kKind, "orders", carrier), "polyflake");
  return 1;
} catch (const polyflake::Error& error) {
  std::printf("%s: %s\n", error.code_name(), error.what());
  return std::string(error.what()).find("no server listens") != std::string::npos ? 0 : 1;
}
