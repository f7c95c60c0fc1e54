#include "ids/store_carrier.hpp"

#include <string_view>

#include <polyflake/error.hpp>
#include <polyflake/redis_carrier.hpp>
#ifdef POLYFLAKE_ETCD
#include <polyflake/etcd_carrier.hpp>
#endif
#ifdef POLYFLAKE_POSTGRESQL
#include <polyflake/postgresql_carrier.hpp>
#endif
#ifdef POLYFLAKE_ZOOKEEPER
#include <polyflake/zookeeper_carrier.hpp>
#endif

namespace polyflake::server {
namespace {

template <class CarrierOfKind>
std::shared_ptr<Carrier> make(const std::string& address) {
  return std::make_shared<CarrierOfKind>(address);
}

constexpr struct {
  std::string_view kind;
  std::shared_ptr<Carrier> (*make)(const std::string& address);
} kKinds[] = {
    {"redis", make<RedisCarrier>},
#ifdef POLYFLAKE_POSTGRESQL
    {"postgresql", make<PostgreSqlCarrier>},
#endif
#ifdef POLYFLAKE_ETCD
    {"etcd", make<EtcdCarrier>},
#endif
#ifdef POLYFLAKE_ZOOKEEPER
    {"zookeeper", make<ZooKeeperCarrier>},
#endif
};

}  // namespace

std::shared_ptr<Carrier> store_carrier(const lease::StoreUrl& url) {
  for (const auto& one : kKinds) {
    if (url.kind == one.kind) return one.make(url.client);
  }
  throw Error(ErrorCode::worker_source_invalid, url.shown + ": this server reaches no store of the kind " +
                                                    polyflake::quoted(url.kind) + "; it has: " + served_kinds());
}

std::string served_kinds() {
  std::string all;
  for (const auto& one : kKinds) all += (all.empty() ? "" : ", ") + std::string(one.kind);
  return all;
}

}  // namespace polyflake::server
