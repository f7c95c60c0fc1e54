package io.github.polyflake.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.polyflake.Generator;
import io.github.polyflake.LeaseException;
import io.github.polyflake.Patience;
import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.internal.WarningLog;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.impl.StaticLoggerBinder;

/** Leases over the application's own pool of connections: HikariCP, with PostgreSQL and MariaDB behind it. */
@ExtendWith(PatientClose.class)
class HikariPoolTest {
  private static final int THREADS = 8;

  @BeforeEach
  void forgetWarnings() {
    StaticLoggerBinder.WARNINGS.clear();
  }

  private static HikariDataSource pool(String server, URI url, int size) {
    String[] owner = url.getUserInfo().split(":");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:" + server + "://" + url.getHost() + ":" + url.getPort() + url.getPath()
        + (server.equals("mariadb") ? "?sslMode=disable" : ""));
    config.setUsername(owner[0]);
    config.setPassword(owner[1]);
    config.setMaximumPoolSize(size);
    config.setAutoCommit(false);
    config.setConnectionTimeout(Patience.HANG_MS);
    return new HikariDataSource(config);
  }

  private static HikariDataSource postgresql(int size) {
    return pool("postgresql", URI.create(RealStores.address("postgresql")), size);
  }

  private static Store store(HikariDataSource pool, long windowMs) {
    return RealStores.fresh(new SqlStore(pool, Store.options("java-" + UUID.randomUUID())
        .window(Duration.ofMillis(windowMs)).tolerance(Duration.ofMillis(windowMs / 20))));
  }

  /** The texts that the log of the package gets meanwhile. */
  private static List<String> logged(Runnable body) {
    List<String> texts = new CopyOnWriteArrayList<>();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord record) {
        texts.add(record.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    Logger logger = Logger.getLogger(WarningLog.NAME);
    logger.addHandler(handler);
    body.run();
    logger.removeHandler(handler);
    return texts;
  }

  private static long idInTransaction(HikariDataSource pool, Generator generator) throws SQLException {
    try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
      assertFalse(connection.getAutoCommit());
      statement.execute("SELECT 1");
      long id = generator.nextId();
      connection.commit();
      return id;
    }
  }

  private static void assertWholeAgain(HikariDataSource pool, int size) throws Exception {
    Patience.eventually(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Connection connection = pool.getConnection();
      all.add(connection);
      assertFalse(connection.getAutoCommit());
      assertFalse(connection.isReadOnly());
      assertEquals(0, connection.getNetworkTimeout());
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT 1");
      }
      connection.rollback();
    }
    for (Connection connection : all) {
      connection.close();
    }
  }

  @Test
  void threads_in_transactions_get_ids_over_a_pool_of_two_if_the_generator_is_open() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (HikariDataSource pool = postgresql(2)) {
      Generator generator = Generator.builder().worker(store(pool, 10_000)).build();
      List<Future<Long>> ids = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ids.add(threads.submit(() -> idInTransaction(pool, generator)));
      }
      assertEquals(THREADS, ids.stream().map(HikariPoolTest::got).distinct().count());
      generator.close();
      assertWholeAgain(pool, 2);
    } finally {
      threads.shutdown();
    }
    assertEquals(List.of(), StaticLoggerBinder.WARNINGS);
  }

  private static long got(Future<Long> id) {
    try {
      return id.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_lease_returns_the_connection_of_postgresql_as_it_was() throws Throwable {
    try (HikariDataSource pool = postgresql(2)) {
      Patience.eventually(() -> pool.getHikariPoolMXBean().getTotalConnections() == 2);
      Patience.atLeastOnce(() -> { // a command that takes a second is given up with its connection
        Store store = store(pool, 10_000);
        List<Integer> before = processes(pool);
        Generator.builder().worker(store).build().close();
        assertWholeAgain(pool, 2);
        assertEquals(before, processes(pool));
      });
    }
    assertEquals(List.of(), StaticLoggerBinder.WARNINGS);
  }

  /** The processes of PostgreSQL that the two connections of a pool lead to, in order. */
  private static List<Integer> processes(HikariDataSource pool) throws SQLException {
    List<Integer> found = new ArrayList<>();
    try (Connection one = pool.getConnection(); Connection other = pool.getConnection()) {
      for (Connection each : List.of(one, other)) {
        found.add(each.unwrap(org.postgresql.PGConnection.class).getBackendPID());
        each.rollback();
      }
    }
    found.sort(null);
    return found;
  }

  @Test
  void a_lease_ends_its_connection_of_mariadb_without_a_line_in_the_log_of_the_pool() throws Exception {
    try (HikariDataSource pool = pool("mariadb", URI.create(RealStores.address("mysql")), 2)) {
      Store store = store(pool, 10_000);
      Generator generator = Generator.builder().worker(store).build();
      assertTrue(idInTransaction(pool, generator) > 0);
      generator.close();
      assertWholeAgain(pool, 2);
    }
    assertEquals(List.of(), StaticLoggerBinder.WARNINGS);
  }

  @Test
  void a_connection_that_is_given_up_leaves_the_pool_without_a_line_in_its_log() throws Exception {
    FaultyProxy proxy = new FaultyProxy("postgresql");
    try (HikariDataSource pool = pool("postgresql", proxy.url, 2)) {
      Generator generator = Generator.builder().worker(store(pool, 2000)).build();
      Patience.eventually(() -> pool.getHikariPoolMXBean().getTotalConnections() == 2);
      long before = generator.stats().storeFailures();
      proxy.fault("hold replies");
      Patience.eventually(() -> generator.stats().storeFailures() > before);
      proxy.fault("pass");
      long renewals = generator.stats().renewals();
      Patience.eventually(() -> issues(generator) && generator.stats().renewals() > renewals);
      generator.close();
      assertWholeAgain(pool, 2);
    } finally {
      proxy.fault("pass");
    }
    assertEquals(List.of(), StaticLoggerBinder.WARNINGS);
  }

  private static boolean issues(Generator generator) {
    try {
      return generator.nextId() > 0;
    } catch (LeaseException e) {
      assertEquals("store_unavailable", e.code());
      return false;
    }
  }

  @Test
  void a_pool_of_one_is_warned_of_once() {
    try (HikariDataSource pool = postgresql(1)) {
      List<String> texts = logged(() -> {
        Store store = store(pool, 10_000);
        Generator.builder().worker(store).build().close();
        Generator.builder().worker(store).build().close();
      });
      assertEquals(1, texts.stream().filter(text -> text.contains("maximumPoolSize")).count(), texts::toString);
    }
    try (HikariDataSource pool = postgresql(2)) {
      assertEquals(List.of(), logged(() -> Generator.builder().worker(store(pool, 10_000)).build().close()));
    }
    assertEquals(List.of(), StaticLoggerBinder.WARNINGS);
  }
}
