package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.BadArgumentException;
import io.github.polyflake.Generator;
import io.github.polyflake.LeaseException;
import io.github.polyflake.Patience;
import io.github.polyflake.UsersClients;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.github.polyflake.internal.WarningLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.JedisSharding;
import redis.clients.jedis.PipelineBase;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.executors.CommandExecutor;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Leases do no lasting harm to a client that the application uses, too, and take no part in its transactions. */
class SharedClientsTest {
  private static final UsersClients CLIENTS = new UsersClients();

  @AfterAll
  static void closeClients() throws Exception {
    CLIENTS.close();
  }

  private static final DefaultJedisClientConfig WITHOUT_TIME_LIMIT =
      DefaultJedisClientConfig.builder().socketTimeoutMillis(0).build();

  /** Clients of a server, which wait for its answers for ever. */
  private static Map<String, UnifiedJedis> patientClients(HostAndPort server) {
    Map<String, UnifiedJedis> clients = new LinkedHashMap<>();
    clients.put("UnifiedJedis", new UnifiedJedis(server, WITHOUT_TIME_LIMIT));
    clients.put("UnifiedJedis of a provider",
        new UnifiedJedis(new PooledConnectionProvider(server, WITHOUT_TIME_LIMIT)));
    clients.put("JedisPooled", new JedisPooled(server, WITHOUT_TIME_LIMIT));
    return clients;
  }

  private static Store store(Object client) {
    return store(client, 600);
  }

  /** A command, also one that connects, may take a third of the window. */
  private static Store store(Object client, long windowMs) {
    return new RedisStore(client, Store.options("java-" + UUID.randomUUID()).autoInit(true)
        .window(Duration.ofMillis(windowMs)).tolerance(Duration.ofMillis(100)).renewWait(Duration.ofMillis(50)));
  }

  /** From now on its pool has idle connections: what a lease takes is taken from the application. */
  private static void fillPool(UnifiedJedis client) {
    List<PipelineBase> all = new ArrayList<>();
    for (int i = 0; i < GenericObjectPoolConfig.DEFAULT_MAX_TOTAL; i++) {
      all.add(client.pipelined());
    }
    all.forEach(PipelineBase::close);
  }

  private static boolean issues(Generator generator) {
    try {
      return generator.nextId() > 0;
    } catch (LeaseException e) {
      assertEquals("store_unavailable", e.code());
      return false;
    }
  }

  /** What the application's log gets of a lease. */
  private static final class Logged extends Handler {
    private static final Logger LOGGER = Logger.getLogger(WarningLog.NAME); // else it may be collected
    private volatile boolean hasWarning;

    Logged() {
      LOGGER.addHandler(this);
    }

    boolean hasWarning() {
      return hasWarning;
    }

    @Override
    public void publish(LogRecord record) {
      if (record.getLevel() == Level.WARNING && record.getMessage().contains("Ids go on until the window ends")) {
        hasWarning = true;
        LOGGER.removeHandler(this);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @TestFactory
  List<DynamicTest> a_server_that_stalls_does_not_use_up_the_pool_of_the_application() throws Exception {
    FaultyProxy proxy = new FaultyProxy("redis");
    HostAndPort server = new HostAndPort(proxy.url.getHost(), proxy.url.getPort());
    return patientClients(server).entrySet().stream().map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
      UnifiedJedis client = each.getValue();
      try (Generator generator = Generator.builder().worker(store(client)).build()) {
        Patience.eventually(() -> issues(generator));
        fillPool(client);
        proxy.fault("hold replies");
        long before = generator.stats().storeFailures();
        Patience.eventually(
            () -> generator.stats().storeFailures() > before + 2 * GenericObjectPoolConfig.DEFAULT_MAX_TOTAL);
        proxy.fault("pass");
        assertTimeoutPreemptively(Duration.ofMillis(Patience.SOON_MS), () -> client.get("a key of the application"));
        Patience.eventually(() -> issues(generator));
      } finally {
        proxy.fault("pass");
      }
      client.close();
    })).collect(Collectors.toList());
  }

  @Test
  void a_renewal_that_fails_is_logged_while_ids_go_on() throws Exception {
    FaultyProxy proxy = new FaultyProxy("redis");
    JedisPooled client = CLIENTS.add(new JedisPooled(proxy.url.getHost(), proxy.url.getPort()));
    try (Generator generator = Generator.builder().worker(store(client, 6_000)).build()) {
      Patience.eventually(() -> issues(generator));
      Logged logged = new Logged();
      proxy.fault("hold replies");
      Patience.eventually(logged::hasWarning);
    } finally {
      proxy.fault("pass");
    }
  }

  @TestFactory
  List<DynamicTest> a_reply_that_comes_twice_costs_a_connection_and_no_lease() throws Exception {
    FaultyProxy proxy = new FaultyProxy("redis");
    Map<String, Store> stores = new LinkedHashMap<>();
    stores.put("Jedis", store(CLIENTS.add(new JedisPooled(proxy.url.getHost(), proxy.url.getPort())), 2000));
    stores.put("Lettuce", store(CLIENTS.add(RedisClient.create(proxy.url.toString())), 2000));
    return stores.entrySet().stream().map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
      try (Generator generator = Generator.builder().worker(each.getValue()).build()) {
        Patience.eventually(() -> issues(generator));
        proxy.fault("duplicate");
        long before = generator.stats().renewals();
        Patience.eventually(() -> generator.stats().renewals() > before + 5);
        Patience.eventually(() -> issues(generator));
      } finally {
        proxy.fault("pass"); // a client fails at once if a reply to its first question is not understood
      }
    })).collect(Collectors.toList());
  }

  @Test
  void a_client_of_jedis_that_lends_no_connection_to_one_server_is_refused() {
    HostAndPort server = new HostAndPort("127.0.0.1", 1);
    CommandExecutor executor = new CommandExecutor() {
      @Override
      public <T> T executeCommand(CommandObject<T> command) {
        throw new AssertionError();
      }

      @Override
      public void close() {}
    };
    for (UnifiedJedis client : List.of(new UnifiedJedis(executor), new JedisSharding(List.of(server, server)))) {
      BadArgumentException refusal = assertThrows(BadArgumentException.class, () -> store(client));
      assertEquals("option_invalid", refusal.code());
      assertTrue(refusal.getMessage().contains("JedisPooled"), refusal.getMessage());
    }
  }

  @Test
  void transactions_of_the_application_over_lettuce_hold_nothing_of_a_lease() throws Exception {
    RedisClient client = RedisClient.create(RealStores.address("redis"));
    try (StatefulRedisConnection<String, String> shared = client.connect()) {
      BadArgumentException refusal = assertThrows(BadArgumentException.class, () -> store(shared));
      assertEquals("option_invalid", refusal.code());
      assertTrue(refusal.getMessage().contains("RedisClient"), refusal.getMessage());
      RedisCommands<String, String> commands = shared.sync();
      String key = "java-" + UUID.randomUUID();
      try (Generator generator = Generator.builder().worker(store(client)).build()) {
        Patience.eventually(() -> {
          commands.multi();
          commands.incr(key);
          commands.incr(key);
          assertEquals(2, commands.exec().size());
          return generator.stats().renewals() > 5;
        });
      } finally {
        commands.del(key);
      }
    } finally {
      client.shutdown();
    }
  }
}
