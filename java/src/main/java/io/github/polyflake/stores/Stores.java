package io.github.polyflake.stores;

import io.github.polyflake.internal.NativeLibrary;
import io.github.polyflake.internal.NativeStoreAddress;
import io.github.polyflake.internal.Refusal;
import java.util.Objects;

/** Makes stores from their addresses. Thread safety: any thread. */
public final class Stores {
  // Which clients are present; their modules are read.
  static final boolean JEDIS = ClientClasses.arePresent("redis.clients.jedis.Connection");
  static final boolean LETTUCE = ClientClasses.arePresent("io.lettuce.core.RedisClient",
      "io.netty.channel.ChannelDuplexHandler", "io.netty.buffer.ByteBuf");
  private static final boolean CURATOR = ClientClasses.arePresent("org.apache.curator.framework.CuratorFramework",
      "org.apache.curator.CuratorZookeeperClient", "org.apache.zookeeper.ZooKeeper");
  private static final boolean JETCD = ClientClasses.arePresent("io.etcd.jetcd.Client", "io.etcd.jetcd.ByteSequence",
      "io.etcd.jetcd.api.TxnResponse");
  static final boolean JDBC = ClientClasses.arePresent("javax.sql.DataSource");

  private Stores() {}

  /** Makes this package read the modules of all clients that are present. */
  static void readClients() {}

  /**
   * Returns the store of an address, over a client that is made for it.
   *
   * <p>{@code redis://}, {@code rediss://} and {@code redis+sentinel://} need Jedis or Lettuce;
   * {@code zookeeper://} needs Curator; {@code etcd://} and {@code etcds://} need jetcd;
   * {@code postgresql://} and {@code mysql://} need a JDBC driver.
   *
   * @param url for example {@code "redis://host/0?namespace=orders"}; options are parameters:
   *     {@code namespace}, {@code uuid}, {@code auto_init}, {@code window_ms},
   *     {@code tolerance_ms}, {@code acquire_timeout_ms}, {@code renew_wait_ms}, {@code label},
   *     {@code schema}
   * @return a store that is not connected yet
   * @throws io.github.polyflake.BadArgumentException {@code worker_source_invalid}, also if the
   *     client is not on the class path; {@code option_invalid}, also if its version lacks what
   *     leases need
   */
  public static Store of(String url) {
    Objects.requireNonNull(url, "url");
    NativeLibrary.require();
    NativeStoreAddress address = NativeStoreAddress.parse(url);
    switch (address.kind()) {
      case "redis":
        return new RedisStore(linkOf(address));
      case "zookeeper":
        require(CURATOR, "ZooKeeper", ClientLibrary.CURATOR.coordinates());
        return new ZooKeeperStore(address);
      case "etcd":
        require(JETCD, "etcd", ClientLibrary.JETCD.coordinates());
        return new EtcdStore(address);
      case "memory":
        return new MemoryStore(address);
      case "postgresql":
      case "mysql":
        requireJdbc();
        return new SqlStore(SqlLink.of(address));
      default:
        throw new IllegalStateException("no adapter for " + address.kind());
    }
  }

  static void requireJdbc() {
    require(JDBC, "a database", "the module java.sql");
  }

  private static Link linkOf(NativeStoreAddress address) {
    if (JEDIS) {
      return ClientLibrary.JEDIS.with(() -> JedisLink.of(address));
    }
    require(LETTUCE, "Redis",
        ClientLibrary.JEDIS.coordinates() + " or " + ClientLibrary.LETTUCE.coordinates());
    return ClientLibrary.LETTUCE.with(() -> LettuceLink.of(address));
  }

  private static void require(boolean present, String store, String artifact) {
    if (!present) {
      throw Refusal.of("worker_source_invalid",
          "leases in " + store + " need " + artifact + ", which is optional and not there: put it on the class path,"
              + " or require its module");
    }
  }
}
