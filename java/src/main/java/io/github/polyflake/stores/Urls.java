package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Refusal;

/** From addresses to stores. */
final class Urls {
  private Urls() {}

  static Store storeOf(NativeStoreAddress address) {
    switch (address.kind()) {
      case "redis":
        return new RedisStore(linkOf(address));
      case "zookeeper":
        require(ClientClasses.CURATOR, "ZooKeeper", "org.apache.curator:curator-framework");
        return new ZooKeeperStore(ZooKeeperLink.of(address));
      case "etcd":
        require(ClientClasses.JETCD, "etcd", "io.etcd:jetcd-core");
        return new EtcdStore(EtcdLink.of(address));
      default:
        require(ClientClasses.JDBC, "a database", "the module java.sql");
        return new SqlStore(SqlLink.of(address));
    }
  }

  private static Link linkOf(NativeStoreAddress address) {
    if (ClientClasses.JEDIS) {
      return JedisLink.of(address);
    }
    require(ClientClasses.LETTUCE, "Redis", "redis.clients:jedis or io.lettuce:lettuce-core");
    return LettuceLink.of(address);
  }

  private static void require(boolean present, String store, String artifact) {
    if (!present) {
      throw Refusal.of("worker_source_invalid",
          "leases in " + store + " need " + artifact + ", which is optional and not there: put it on the class path,"
              + " or require its module");
    }
  }
}
