package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.Client;
import io.github.polyflake.Generator;
import io.github.polyflake.LeaseException;
import io.github.polyflake.OwnServers;
import io.github.polyflake.Patience;
import io.github.polyflake.UsersClients;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;

/** Stores that nobody is at, and credentials that a store does not take: opening fails at once, over every client. */
class OutOfReachTest {
  private static final String UNRESOLVED = "x".repeat(64) + ".invalid"; // refused without a question to anybody
  private static final long SOON_MS = Patience.SOON_MS; // opening may take 30 s

  private static final UsersClients CLIENTS = new UsersClients();

  /** Makers of stores by their clients: of a host and a port, with credentials that are wrong. */
  private static final Map<String, BiFunction<String, Integer, Store>> STORES = new LinkedHashMap<>();

  static {
    for (String scheme : List.of("redis", "redis+sentinel", "zookeeper", "etcd", "postgresql", "mysql")) {
      STORES.put(scheme + "://", (host, port) -> Stores.of(url(scheme, host, port)));
    }
    STORES.put("redis:// over Lettuce", (host, port) -> RealStores.overLettuce(url("redis", host, port)));
    STORES.put("redis+sentinel:// over Lettuce",
        (host, port) -> RealStores.overLettuce(url("redis+sentinel", host, port)));
    STORES.put("JedisPooled", (host, port) -> redis(CLIENTS.add(new JedisPooled(host, port, "reader", "secretword"))));
    STORES.put("JedisPool", (host, port) -> redis(CLIENTS.add(new JedisPool(host, port, "reader", "secretword"))));
    STORES.put("UnifiedJedis",
        (host, port) -> redis(CLIENTS.add(new UnifiedJedis("redis://reader:secretword@" + host + ":" + port))));
    STORES.put("Lettuce",
        (host, port) -> redis(CLIENTS.add(RedisClient.create("redis://reader:secretword@" + host + ":" + port))));
    STORES.put("jetcd", (host, port) -> new EtcdStore(
        CLIENTS.add(Client.builder().endpoints("http://" + host + ":" + port).waitForReady(false).build()),
        Store.options("orders")));
    STORES.put("Curator", (host, port) -> new ZooKeeperStore(curator(host + ":" + port), Store.options("orders")));
    STORES.put("PGSimpleDataSource", (host, port) -> new SqlStore(postgresql(host, port), Store.options("orders")));
    STORES.put("MariaDbDataSource", (host, port) -> new SqlStore(mariadb(host, port), Store.options("orders")));
  }

  @AfterAll
  static void closeClients() throws Exception {
    CLIENTS.close();
  }

  private static String url(String scheme, String host, int port) {
    return scheme + "://reader:secretword@" + host + ":" + port + "/polyflake?namespace=orders".replace("polyflake",
        scheme.equals("redis") ? "0" : scheme.equals("zookeeper") ? "" : "polyflake");
  }

  private static Store redis(Object client) {
    return new RedisStore(client, Store.options("orders"));
  }

  private static CuratorFramework curator(String server) {
    CuratorFramework client =
        CuratorFrameworkFactory.builder().connectString(server).retryPolicy(new RetryOneTime(10)).build();
    client.start();
    return CLIENTS.add(client);
  }

  private static PGSimpleDataSource postgresql(String host, int port) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL("jdbc:postgresql://" + host + ":" + port + "/polyflake");
    source.setUser("reader");
    source.setPassword("secretword");
    return source;
  }

  private static MariaDbDataSource mariadb(String host, int port) {
    try {
      MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb://" + host + ":" + port + "/polyflake");
      source.setUser("reader");
      source.setPassword("secretword");
      return source;
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the message. The first opening loads classes, the second one counts. */
  private static String assertRefusedSoon(Store store) {
    long beganNs = 0;
    LeaseException refusal = null;
    for (int i = 0; i < 2; i++) {
      beganNs = System.nanoTime();
      refusal = assertThrows(LeaseException.class, () -> Generator.builder().worker(store).build());
    }
    long tookMs = (System.nanoTime() - beganNs) / 1_000_000;
    assertEquals("store_unavailable", refusal.code(), refusal.getMessage());
    for (String text : List.of(refusal.toString(), store.toString())) {
      assertFalse(text.contains("secretword") || text.contains("reader"), text);
    }
    assertEquals(null, refusal.getCause());
    assertTrue(tookMs < SOON_MS, tookMs + " ms: " + refusal.getMessage());
    return refusal.getMessage();
  }

  @TestFactory
  List<DynamicTest> where_nobody_is_opening_fails_at_once() {
    List<DynamicTest> tests = new ArrayList<>();
    STORES.forEach((name, make) -> {
      tests.add(DynamicTest.dynamicTest(name, () -> assertRefusedSoon(make.apply("127.0.0.1", Control.freePort()))));
      tests.add(DynamicTest.dynamicTest(name + " without such a host",
          () -> assertRefusedSoon(make.apply(UNRESOLVED, 7))));
    });
    return tests;
  }

  @TestFactory
  List<DynamicTest> wrong_credentials_are_told_at_once() {
    Map<String, String> codes = Map.of("redis", "WRONGPASS", "postgresql", "28P01", "mysql", "28000");
    Map<String, List<String>> clients = Map.of(
        "redis", List.of("redis://", "redis:// over Lettuce", "JedisPooled", "JedisPool", "UnifiedJedis", "Lettuce"),
        "postgresql", List.of("postgresql://", "PGSimpleDataSource"),
        "mysql", List.of("mysql://", "MariaDbDataSource"));
    List<DynamicTest> tests = new ArrayList<>();
    clients.forEach((kind, names) -> names.forEach(name -> tests.add(DynamicTest.dynamicTest(name, () -> {
      String[] address = RealStores.address(kind).replaceFirst("^.*//([^@]*@)?([^/]*).*$", "$2").split(":");
      String message = assertRefusedSoon(STORES.get(name).apply(address[0], Integer.parseInt(address[1])));
      assertTrue(message.endsWith(" " + codes.get(kind) + "; the server refused this user and password"), message);
    }))));
    return tests;
  }

  @Test
  void etcd_tells_wrong_credentials_at_once_and_takes_right_ones(@TempDir Path folder) throws Exception {
    try (OwnServers servers = new OwnServers(folder)) {
      int port = servers.startEtcd("rightword");
      String address = "127.0.0.1:" + port + "?auto_init=1&namespace=orders";
      assertRefusedSoon(STORES.get("etcd://").apply("127.0.0.1", port));
      assertRefusedSoon(Stores.of("etcd://" + address));
      try (Generator generator = Generator.builder().worker("etcd://root:rightword@" + address).build()) {
        assertEquals(0, generator.worker());
      }
    }
  }
}
