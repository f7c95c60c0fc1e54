package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.stores.Control;
import io.github.polyflake.stores.JedisClients;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.RedisStore;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** Redis behind a sentinel, as a cluster and with TLS. */
class RedisServersTest {
  private static final String PASSWORD = "secretword";
  private static final long WINDOW_MS = 4000; // of a lease that is to be renewed

  @TempDir
  Path folder;

  private static Store store(Object client, long windowMs) {
    Store.Options options = Store.options("java-" + UUID.randomUUID());
    return new RedisStore(client, options.window(Duration.ofMillis(windowMs)));
  }

  private static Store store(Object client) {
    return store(client, WINDOW_MS);
  }

  private static Generator open(Store store) {
    return Generator.builder().worker(RealStores.fresh(store)).build();
  }

  private static String sentinelUrl(int sentinel, String password) {
    return "redis+sentinel://:" + password + "@127.0.0.1:" + sentinel + "/main/0?namespace=java-" + UUID.randomUUID()
        + "&window_ms=" + WINDOW_MS;
  }

  private static List<String> ask(int port, String... words) {
    try (Jedis jedis = new Jedis("127.0.0.1", port)) {
      Object reply = jedis.sendCommand(() -> words[0].getBytes(), java.util.Arrays.copyOfRange(words, 1, words.length));
      List<String> texts = new ArrayList<>();
      for (Object one : reply instanceof List ? (List<?>) reply : List.of(reply)) {
        texts.add(one instanceof byte[] ? new String((byte[]) one) : one.toString());
      }
      return texts;
    }
  }

  /** Three copies, so that two of them are a majority when one is taken away; returns the ports of primary and sentinel. */
  private static int[] watched(OwnServers servers) throws Exception {
    int primary = servers.startRedis("--requirepass", PASSWORD, "--masterauth", PASSWORD);
    for (int i = 0; i < 2; i++) {
      servers.startRedis("--requirepass", PASSWORD, "--masterauth", PASSWORD, "--replicaof", "127.0.0.1",
          Integer.toString(primary));
    }
    int sentinel = servers.startSentinel(primary, PASSWORD);
    Patience.eventually(() -> ask(sentinel, "SENTINEL", "replicas", "main").size() == 2);
    return new int[] {primary, sentinel};
  }

  @Test
  void a_lease_is_opened_behind_a_sentinel() throws Exception {
    try (OwnServers servers = new OwnServers(folder)) {
      int primary = servers.startRedis("--requirepass", PASSWORD);
      int sentinel = servers.startSentinel(primary, PASSWORD);
      Map<String, Store> stores = new LinkedHashMap<>();
      stores.put("redis+sentinel://", Stores.of(sentinelUrl(sentinel, PASSWORD)));
      JedisClients.ofSentinel(new HostAndPort("127.0.0.1", sentinel), PASSWORD)
          .forEach((name, client) -> stores.put(name, store(client)));
      for (Map.Entry<String, Store> each : stores.entrySet()) {
        try (Generator generator = open(each.getValue())) {
          Patience.renew(generator);
          assertTrue(generator.nextId() > 0, each.getKey());
        }
      }
    }
  }

  @Test
  void leases_behind_a_sentinel_outlive_a_failover() throws Exception {
    try (OwnServers servers = new OwnServers(folder); UsersClients clients = new UsersClients()) {
      int[] ports = watched(servers);
      int sentinel = ports[1];
      Map<String, Store> stores = new LinkedHashMap<>();
      stores.put("redis+sentinel://", Stores.of(sentinelUrl(sentinel, PASSWORD)));
      stores.put("the same over Lettuce", RealStores.overLettuce(sentinelUrl(sentinel, PASSWORD)));
      JedisClients.ofSentinel(new HostAndPort("127.0.0.1", sentinel), PASSWORD)
          .forEach((name, client) -> stores.put(name, store(client)));
      stores.put("Lettuce",
          store(clients.add(RedisClient.create("redis-sentinel://" + PASSWORD + "@127.0.0.1:" + sentinel + "#main"))));
      Map<String, Generator> generators = new LinkedHashMap<>();
      Map<String, Long> first = new LinkedHashMap<>();
      for (Map.Entry<String, Store> each : stores.entrySet()) {
        Generator generator = open(each.getValue());
        generators.put(each.getKey(), generator);
        first.put(each.getKey(), generator.nextId());
      }
      // Either of them may take over, and two of three copies were enough for a namespace. A replica that is online may lag.
      try (Jedis jedis = new Jedis("127.0.0.1", ports[0])) {
        jedis.auth(PASSWORD);
        jedis.set("after", "the namespaces");
        Patience.eventually(() -> jedis.waitReplicas(2, 1000) == 2);
      }
      Patience.eventually(() -> {
        try {
          return ask(sentinel, "SENTINEL", "FAILOVER", "main").size() == 1;
        } catch (JedisDataException e) {
          return false; // it does not know yet how well they are
        }
      });
      Patience.eventually(
          () -> !ask(sentinel, "SENTINEL", "get-master-addr-by-name", "main").get(1)
              .equals(Integer.toString(ports[0])));
      long failedOverMs = System.currentTimeMillis();
      for (Map.Entry<String, Generator> each : generators.entrySet()) {
        Generator generator = each.getValue();
        AtomicLong last = new AtomicLong(first.get(each.getKey()));
        Patience.eventually(() -> {
          try {
            long id = generator.nextId();
            assertTrue(id > last.getAndSet(id), each.getKey());
            return generator.stats().untilMs() > failedOverMs + WINDOW_MS
                && Namespaces.leases(stores.get(each.getKey()), "polyflake").stream()
                    .anyMatch(lease -> lease.node() == generator.worker());
          } catch (LeaseException e) { // also of a connection that was lent from before the failover
            assertEquals("store_unavailable", e.code(), each.getKey());
            return false;
          }
        });
        each.getValue().close();
      }
      for (Store wrong : List.of(Stores.of(sentinelUrl(sentinel, "wrongword")),
          RealStores.overLettuce(sentinelUrl(sentinel, "wrongword")))) {
        LeaseException refusal = assertThrows(LeaseException.class, () -> Generator.builder().worker(wrong).build());
        assertEquals("store_unavailable", refusal.code());
        assertFalse(refusal.toString().contains("wrongword"));
      }
    }
  }

  @Test
  void a_cluster_is_leased_from_over_jedis_and_refused_over_lettuce() throws Exception {
    try (OwnServers servers = new OwnServers(folder)) {
      int[] ports = new int[2];
      int[] buses = new int[2];
      for (int i = 0; i < ports.length; i++) {
        buses[i] = Control.freePort();
        ports[i] = servers.startRedis("--cluster-enabled", "yes", "--cluster-config-file", "nodes" + i + ".conf",
            "--cluster-port", Integer.toString(buses[i]));
      }
      ask(ports[0], "CLUSTER", "ADDSLOTSRANGE", "0", "8191");
      ask(ports[1], "CLUSTER", "ADDSLOTSRANGE", "8192", "16383");
      ask(ports[0], "CLUSTER", "MEET", "127.0.0.1", Integer.toString(ports[1]), Integer.toString(buses[1]));
      for (int port : ports) {
        Patience.eventually(() -> {
          String info = ask(port, "CLUSTER", "INFO").get(0);
          return info.contains("cluster_state:ok") && info.contains("cluster_size:2");
        });
      }
      for (Object cluster : JedisClients.ofCluster(new HostAndPort("127.0.0.1", ports[0])).values()) {
        for (int i = 0; i < 6; i++) { // on either server
          Store store = store(cluster, 600_000);
          try (Generator generator = open(store)) {
            Patience.renew(generator);
            assertTrue(generator.nextId() > 0);
            assertEquals(1, Namespaces.leases(store, "polyflake").size());
          }
        }
        ((AutoCloseable) cluster).close();
      }
    }
    RedisClusterClient lettuce = RedisClusterClient.create("redis://127.0.0.1:1");
    BadArgumentException refusal = assertThrows(BadArgumentException.class, () -> store(lettuce));
    assertEquals("option_invalid", refusal.code());
    assertTrue(refusal.getMessage().contains("JedisCluster"), refusal.getMessage());
    lettuce.shutdown(0, 1, java.util.concurrent.TimeUnit.SECONDS);
  }

  /** Prints the node id, else the code and the message. */
  static final class Open {
    public static void main(String[] args) {
      // A long window: the first connection over TLS may take as long as a third of it.
      String url = args[1] + "?namespace=java-" + UUID.randomUUID() + "&auto_init=1&window_ms=60000";
      try {
        Store store = args[0].equals("jedis") ? Stores.of(url) : RealStores.overLettuce(url);
        Generator generator = Generator.builder().worker(store).build();
        System.out.println(generator.worker());
        generator.close();
      } catch (PolyflakeException e) {
        System.out.println(e.code() + " " + e.getMessage());
      }
    }
  }

  private String opened(String client, String host, int port, boolean trusting) throws Exception {
    List<String> command = new ArrayList<>();
    if (trusting) {
      command.add("-Djavax.net.ssl.trustStore=" + folder.resolve("trust.p12"));
      command.add("-Djavax.net.ssl.trustStorePassword=changeit");
    }
    command.addAll(List.of(Open.class.getName(), client, "rediss://:" + PASSWORD + "@" + host + ":" + port));
    ChildJvm child = ChildJvm.run(command.toArray(new String[0]));
    assertEquals(0, child.exit, child.err);
    assertFalse((child.out + child.err).contains(PASSWORD), child.out + child.err);
    return child.out.trim();
  }

  private static void assertRefusesCertificate(String said) {
    assertTrue(said.startsWith("store_unavailable rediss://127.0.0."), said);
    assertTrue(said.contains("SSLHandshakeException"), said);
  }

  @Test
  void tls_takes_a_server_that_a_known_authority_vouches_for_under_its_own_name_and_no_other() throws Throwable {
    try (OwnServers servers = new OwnServers(folder)) {
      servers.makeCertificates("IP:127.0.0.1");
      int port = Control.freePort();
      servers.startRedisAt(port, List.of("--port", "0"), "--tls-port", Integer.toString(port), "--bind", "127.0.0.1",
          "127.0.0.2", "--requirepass", PASSWORD, "--tls-cert-file", folder.resolve("server.crt").toString(),
          "--tls-key-file", folder.resolve("server.key").toString(), "--tls-ca-cert-file",
          folder.resolve("ca.crt").toString(), "--tls-auth-clients", "no");
      for (String client : List.of("jedis", "lettuce")) {
        // A busy machine may need too long for the handshake: what is wrong never succeeds.
        Patience.atLeastOnce(() -> assertEquals("0", opened(client, "127.0.0.1", port, true), client));
        Patience.atLeastOnce(() -> assertRefusesCertificate(opened(client, "127.0.0.1", port, false)));
        Patience.atLeastOnce(() -> assertRefusesCertificate(opened(client, "127.0.0.2", port, true)));
      }
    }
  }
}
