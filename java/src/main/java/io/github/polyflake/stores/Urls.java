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
        require("org.apache.curator.framework.CuratorFramework", "ZooKeeper", "org.apache.curator:curator-framework");
        return new ZooKeeperStore(ZooKeeperLink.of(address));
      case "etcd":
        require("io.etcd.jetcd.Client", "etcd", "io.etcd:jetcd-core");
        return new EtcdStore(EtcdLink.of(address));
      default:
        return new SqlStore(SqlLink.of(address));
    }
  }

  private static Link linkOf(NativeStoreAddress address) {
    if (isPresent("redis.clients.jedis.Connection")) {
      return JedisLink.of(address);
    }
    require("io.lettuce.core.RedisClient", "Redis", "redis.clients:jedis or io.lettuce:lettuce-core");
    return LettuceLink.of(address);
  }

  static boolean isPresent(String className) {
    try {
      Class.forName(className, false, Urls.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static void require(String className, String store, String artifact) {
    if (!isPresent(className)) {
      throw Refusal.of("worker_source_invalid",
          "leases in " + store + " need " + artifact + " on the class path; it is an optional dependency");
    }
  }
}
