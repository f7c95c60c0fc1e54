package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.LeaseInfo;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.RedisStore;
import io.github.polyflake.stores.SqlStore;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** Generators whose node id is leased from a store: a real one, or memory if no client matters. */
@ExtendWith(PatientClose.class)
class LeasesTest {
  private static final int LONG_MS = 600_000;
  private static final List<String> KINDS = List.of("redis", "zookeeper", "etcd", "postgresql", "mysql");

  private static String newName() {
    return "java-" + UUID.randomUUID();
  }

  /** The address of a new namespace. */
  private static String newUrl(String kind, String options) {
    return RealStores.address(kind) + "?namespace=" + newName() + options;
  }

  /** The same; no lease is renewed, or ends by itself, while a test goes on. */
  private static String newLongUrl(String kind, String options) {
    return newUrl(kind, "&window_ms=" + LONG_MS + options);
  }

  /** The same in the memory of this process. */
  private static String newMemory(String options) {
    return "memory://" + newName() + "?namespace=orders" + options;
  }

  private static Generator open(String url) {
    return Generator.builder().worker(url).build();
  }

  private static List<LeaseInfo> held(Store store) {
    return Namespaces.leases(store, "polyflake");
  }

  /** The window was lowered to the end of the last id's tick, which may be this one. */
  private static void assertGivenBack(Store store) throws InterruptedException {
    for (int i = 0; i < 100 && !held(store).isEmpty(); i++) {
      Thread.sleep(1);
    }
    assertTrue(held(store).isEmpty());
  }

  /** The address, whose namespace is made for it: nothing was handed out from it yet. */
  private static String fresh(String url) {
    RealStores.fresh(Stores.of(url));
    return url;
  }

  private interface Fact {
    void holds(String kind) throws Exception;
  }

  private static List<DynamicTest> forEachAddress(Fact fact) {
    List<DynamicTest> tests = new ArrayList<>();
    KINDS.forEach(
        kind -> tests.add(DynamicTest.dynamicTest(kind, () -> fact.holds(kind))));
    return tests;
  }

  @TestFactory
  List<DynamicTest> a_namespace_is_made_once_leased_from_and_given_back() {
    return forEachAddress(kind -> {
      String url = newLongUrl(kind, "");
      refused("namespace_not_initialised", () -> open(url));
      String uuid = Namespaces.init(Stores.of(url), "polyflake", true);
      assertEquals(uuid, Namespaces.init(Stores.of(url), "polyflake"));
      refused("layout_mismatch", () -> Generator.builder().worker(url).layout("twitter").build());
      refused("wrong_namespace", () -> open(url + "&uuid=" + "0".repeat(32)));
      try (Generator generator = open(url + "&uuid=" + uuid)) {
        long id = generator.nextId();
        assertTrue(generator.nextId() > id);
        assertEquals(generator.worker(), Polyflake.decode(id).node());
        assertEquals(generator.worker(), held(Stores.of(url)).get(0).node());
        assertEquals("open", generator.state().name());
      }
      assertGivenBack(Stores.of(url));
    });
  }

  @Test
  void uuids_carry_the_node_id_of_a_lease() throws Exception {
    String url = fresh(newMemory("&window_ms=" + LONG_MS));
    try (Generator generator = open(url);
        TimedUuidSource uuids = Kinds.uuid7().worker(url).build();
        UuidSource named = (UuidSource) Kinds.open("uuid7").option("worker", url).build()) {
      assertEquals(generator.worker(), uuids.decode(uuids.nextId()).node());
      assertEquals(generator.worker(), uuids.decode(named.nextId()).node());
      assertEquals(generator.stats().namespaceUuid(), uuids.stats().namespaceUuid());
      refused("layout_mismatch", () -> Kinds.uuid7().worker(url).layout("twitter").build());
      refused("option_invalid", () -> Kinds.uuid7().worker(url).clock(new ManualClock(0)).build());
    }
    assertGivenBack(Stores.of(url));
  }

  @Test
  void what_a_lease_has_done_is_in_the_stats() throws Exception {
    String url = fresh(newMemory("&window_ms=" + LONG_MS));
    long before = System.currentTimeMillis();
    try (Generator generator = open(url)) {
      Stats stats = generator.stats();
      assertEquals(0, stats.renewals());
      assertEquals(0, stats.storeFailures());
      assertTrue(before + LONG_MS <= stats.untilMs() && stats.untilMs() <= System.currentTimeMillis() + LONG_MS);
      assertEquals(Namespaces.init(Stores.of(url), "polyflake"), stats.namespaceUuid());
      assertTrue(stats.toString().endsWith(", namespaceUuid=" + stats.namespaceUuid() + ")"), stats.toString());
      assertRenewed(generator, 1);
      assertTrue(generator.stats().untilMs() > stats.untilMs());
    }
  }

  @Test
  void each_call_renews_once() throws Exception {
    try (Generator generator = open(fresh(newMemory("&window_ms=" + LONG_MS)))) {
      assertRenewed(generator, 1000);
    }
  }

  private static void assertRenewed(Generator generator, int times) {
    int asked = 0; // more often, if one was given up: it may be done later
    for (int i = 0; i < times; i++) {
      asked += Patience.renew(generator);
    }
    long renewals = generator.stats().renewals();
    assertTrue(times <= renewals && renewals <= asked, renewals + " of " + asked);
  }

  /** Asks once to renew; throws what a closed generator says, not that a busy machine was late. */
  private static void renew(Generator generator) {
    try {
      generator.renew();
    } catch (LeaseException e) {
      if (generator.isClosed()) {
        throw e;
      }
    }
  }

  @Test
  void a_renewal_that_meets_a_close_is_refused_as_any_other_call() throws Exception {
    for (int round = 0; round < 300; round++) {
      Generator generator = open(fresh(newMemory("&window_ms=" + LONG_MS)));
      CountDownLatch renewing = new CountDownLatch(1);
      CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> refused("generator_closed", () -> {
        for (;;) {
          renew(generator);
          renewing.countDown();
        }
      }));
      assertTrue(renewing.await(Patience.HANG_MS, TimeUnit.MILLISECONDS));
      LockSupport.parkNanos(round * 5_000);
      generator.close();
      ended.get(Patience.HANG_MS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void what_is_no_lease_has_no_namespace_in_the_stats() {
    Stats stats = Generator.builder().worker(3).build().stats();
    assertNull(stats.namespaceUuid());
    assertEquals(0, stats.renewals() + stats.storeFailures());
    assertFalse(stats.toString().contains("namespaceUuid"), stats.toString());
  }

  @TestFactory
  List<DynamicTest> generators_of_one_store_share_a_node_id_until_the_last_is_closed() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (RealStores.Kind kind : RealStores.all()) {
      tests.add(DynamicTest.dynamicTest(kind.name, () -> {
        Store store = RealStores.fresh(kind.make.apply(Store.options(newName()).window(Duration.ofMillis(LONG_MS))));
        Generator one = Generator.builder().worker(store).build();
        Generator two = Generator.builder().worker(store).build();
        one.nextId();
        assertEquals(one.worker(), two.worker());
        one.close();
        one.close();
        assertEquals(1, held(store).size());
        Patience.renew(two);
        two.nextId();
        two.close();
        assertGivenBack(store);
        refused("generator_closed", two::nextId);
        refused("generator_closed", two::renew);
      }));
    }
    return tests;
  }

  @Test
  void stores_of_their_own_get_different_node_ids_and_renew() throws Exception {
    String url = fresh(newMemory("&window_ms=2000&label=0&renew_wait_ms=" + Patience.HANG_MS));
    try (Generator one = open(url); Generator two = Generator.builder().worker(Stores.of(url)).build()) {
      assertNotEquals(one.worker(), two.worker());
      one.nextId();
      two.nextId();
      long until = one.stats().untilMs();
      Patience.renew(one);
      assertTrue(one.stats().untilMs() > until);
      while (System.currentTimeMillis() < until + 200) {
        one.nextId();
        Thread.sleep(10);
      }
      Patience.eventually(() -> {
        List<LeaseInfo> leases = held(Stores.of(url));
        assertTrue(leases.stream().allMatch(lease -> lease.label().isEmpty()));
        return leases.size() == 2;
      });
    }
  }

  @TestFactory
  List<DynamicTest> nobody_listening_is_store_unavailable_and_no_error_names_credentials() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String scheme : List.of("redis", "rediss", "zookeeper", "etcd", "etcds", "postgresql", "mysql")) {
      tests.add(DynamicTest.dynamicTest(scheme, () -> {
        String url = scheme + "://reader:secretword@127.0.0.1:1?namespace=orders";
        LeaseException refusal = assertThrows(LeaseException.class, () -> open(url));
        assertEquals("store_unavailable", refusal.code());
        assertTrue(refusal.getMessage().contains(scheme + "://127.0.0.1:1"), refusal.getMessage());
        for (String text : List.of(refusal.toString(), Stores.of(url).toString())) {
          assertFalse(text.contains("secretword") || text.contains("reader"), text);
        }
        assertEquals(null, refusal.getCause());
      }));
    }
    return tests;
  }

  @Test
  void parameters_that_nobody_reads_are_refused() {
    for (String address : List.of("etcds://h?cacert=/ca.pem", "zookeeper://h?timeout=3")) {
      String url = address + "&namespace=orders";
      assertEquals("option_invalid", assertThrows(BadArgumentException.class, () -> open(url)).code());
    }
  }

  @Test
  void a_raised_floor_is_below_every_id_of_later() throws Exception {
    Store store = RealStores.fresh(Stores.of(newMemory("")));
    Instant floor = Instant.ofEpochMilli(System.currentTimeMillis() + 700);
    Namespaces.raiseFloor(store, "polyflake", floor);
    long existing = Layout.of("polyflake").lastId(floor.plusMillis(50));
    Namespaces.raiseFloor(store, "polyflake", existing);
    try (Generator generator = Generator.builder().worker(store).build()) {
      assertTrue(generator.nextId() > existing);
    }
  }

  @Test
  void a_floor_of_the_far_future_is_lowered_by_an_operator_who_says_so() {
    Store store = RealStores.fresh(Stores.of(newMemory("&window_ms=2000&tolerance_ms=100")));
    Namespaces.raiseFloor(store, "polyflake", Instant.now().plus(Duration.ofDays(365)));
    long earliestMs = System.currentTimeMillis() + 2200;
    Namespaces.raiseFloor(store, "polyflake", Instant.now(), true);
    try (Generator generator = Generator.builder().worker(store).build()) {
      long timeMs = Polyflake.decode(generator.nextId()).timeMs();
      assertTrue(timeMs >= earliestMs && timeMs < earliestMs + Duration.ofDays(1).toMillis());
    }
  }

  @Test
  void an_operator_names_the_copies_of_a_redis_or_vouches_for_them() {
    Store store = Stores.of(newUrl("redis", ""));
    Namespaces.init(store, "polyflake", true, Namespaces.Replicas.FENCED);
    String address = URI.create(RealStores.address("redis")).getAuthority();
    Namespaces.raiseFloor(store, "polyflake", List.of(address));
    try (Generator generator = Generator.builder().worker(store).build()) {
      assertTrue(generator.nextId() > 0);
    }
    refused("option_invalid", () -> Namespaces.raiseFloor(store, "polyflake", Collections.<String>emptyList()));
    refused("option_invalid", () -> Namespaces.raiseFloor(store, "polyflake", List.of("10.0.0.1")));
    Store elsewhere = Stores.of(newUrl("etcd", ""));
    refused("option_invalid", () -> Namespaces.init(elsewhere, "polyflake", true, Namespaces.Replicas.FENCED));
    refused("option_invalid", () -> Namespaces.raiseFloor(elsewhere, "polyflake", List.of("10.0.0.1:6379")));
  }

  @Test
  void a_holder_from_before_a_raised_floor_takes_another_window_and_callers_hear_of_nothing_else() throws Exception {
    Store store = RealStores.fresh(Stores.of(newMemory("&window_ms=3000&renew_wait_ms=50")));
    try (Generator generator = Generator.builder().worker(store).build()) {
      long last = generator.nextId();
      long former = generator.worker();
      long floorMs = System.currentTimeMillis() + 4500;
      Namespaces.raiseFloor(store, "polyflake", Instant.ofEpochMilli(floorMs));
      while (System.currentTimeMillis() < floorMs + 300 || Polyflake.decode(last).timeMs() < floorMs) {
        GeneratorState its = generator.state();
        String state = its.name() + " " + its.code();
        assertTrue(List.of("open null", "starting null", "waiting store_unavailable").contains(state), state);
        try {
          long id = generator.nextId();
          assertTrue(id > last);
          last = id;
          Parts parts = Polyflake.decode(id);
          assertEquals(parts.node() == former, parts.timeMs() < floorMs);
        } catch (LeaseException e) {
          assertEquals("store_unavailable", e.code());
        }
        Thread.sleep(5);
      }
      Patience.eventually(() -> generator.state().name().equals("open"));
      assertNotEquals(former, generator.worker());
      assertTrue(Polyflake.decode(last).timeMs() >= floorMs);
    }
  }

  @TestFactory
  List<DynamicTest> a_jvm_ends_with_an_open_generator_and_gives_its_node_id_back() {
    return forEachAddress(kind -> {
      String url = fresh(newLongUrl(kind, ""));
      for (String how : List.of("return", "exit")) {
        ChildJvm child =
            ChildJvm.start(Map.of("POLYFLAKE_WORKER", url), LeavesItOpen.class.getName(), how).finish();
        assertEquals("0", child.out.split("\n")[0], child.err);
        long tookMs = System.currentTimeMillis() - Long.parseLong(child.out.split("\n")[1]);
        assertTrue(tookMs < Patience.SOON_MS, tookMs + " ms");
        assertEquals(0, child.exit);
        assertGivenBack(Stores.of(url));
      }
    });
  }

  static final class LeavesItOpen {
    public static void main(String[] args) {
      PatientClose.begin();
      Generator generator = Generator.builder().build();
      generator.nextId();
      System.out.println(generator.worker());
      System.out.println(System.currentTimeMillis());
      if (args[0].equals("exit")) {
        System.exit(0);
      }
    }
  }

  @Test
  void tables_are_in_the_schema_of_the_address_or_of_the_option() throws Exception {
    PGSimpleDataSource source = RealStores.postgresqlAt(URI.create(RealStores.address("postgresql")));
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS \"Java-1\"");
    }
    String url = newUrl("postgresql", "&schema=Java-1");
    String uuid = Namespaces.init(Stores.of(url), "polyflake", true);
    refused("namespace_not_initialised",
        () -> Namespaces.leases(Stores.of(url.replace("&schema=Java-1", "")), "polyflake"));
    String name = url.replaceAll(".*namespace=([^&]*).*", "$1");
    assertEquals(uuid, Namespaces.init(new SqlStore(source, Store.options(name).schema("Java-1")), "polyflake"));
  }

  @Test
  void a_transaction_pooler_hands_no_setting_of_a_lease_on() throws Exception {
    PGSimpleDataSource pooled = RealStores.postgresqlAt(URI.create(RealStores.address("pgbouncer")));
    Store store = RealStores.fresh(new SqlStore(pooled, Store.options(newName()).window(Duration.ofMillis(LONG_MS))));
    try (Generator generator = Generator.builder().worker(store).build()) {
      Patience.renew(generator);
      try (Connection connection = pooled.getConnection();
          Statement statement = connection.createStatement();
          ResultSet found = statement.executeQuery("SELECT current_setting('lock_timeout'),"
              + " current_setting('client_min_messages'), current_setting('default_transaction_isolation')")) {
        assertTrue(found.next());
        assertEquals(List.of("0", "notice", "read committed"),
            List.of(found.getString(1), found.getString(2), found.getString(3)));
      }
    }
  }

  /** As a commit warns that no standby confirmed: when it is done. */
  @Test
  void a_commit_that_postgresql_warns_of_is_not_had() throws Exception {
    PGSimpleDataSource source = RealStores.postgresqlAt(URI.create(RealStores.address("postgresql")));
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA java_warned");
      Store store = RealStores.fresh(
          new SqlStore(source, Store.options(newName()).schema("java_warned").window(Duration.ofMillis(LONG_MS))));
      try (Generator generator = Generator.builder().worker(store).build()) {
        Stats before = generator.stats();
        statement.execute("CREATE FUNCTION java_warned.warn() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE WARNING 'canceling wait'; RETURN NULL; END $$");
        statement.execute("CREATE CONSTRAINT TRIGGER warning AFTER UPDATE ON java_warned.polyflake_nodes"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION java_warned.warn()");
        Patience.renew(generator); // the window of another node id
        assertTrue(generator.stats().storeFailures() > before.storeFailures());
        assertEquals(before.renewals(), generator.stats().renewals());
        statement.execute("DROP TRIGGER warning ON java_warned.polyflake_nodes");
      }
    }
  }

  @Test
  void options_are_checked_when_a_store_is_made() {
    Object client = new redis.clients.jedis.JedisPooled("127.0.0.1", 1);
    refused("option_invalid", () -> new RedisStore(client, Store.options("Orders")));
    refused("option_invalid", () -> new RedisStore(client, Store.options("a").uuid("1")));
    refused("option_invalid", () -> new RedisStore(client, Store.options("a").renewWait(Duration.ofMillis(-1))));
    refused("option_invalid", () -> new RedisStore(client, Store.options("a").window(Duration.ofDays(99))));
    refused("option_invalid", () -> new RedisStore("no client", Store.options("a")));
    refused("worker_source_invalid", () -> Stores.of("mongodb://h/?namespace=a"));
    refused("worker_source_invalid", () -> open("postgres://user:secret@h/d?namespace=a"));
    refused("option_invalid", () -> open("redis://h/0?namespace=a&windowMs=5"));
    refused("option_invalid", () -> open("redis://h/0?namespace=a&auto_init=fresh"));
    refused("option_invalid", () -> open("redis://h/0?namespace=a&schema=b"));
    refused("option_invalid", () -> new RedisStore(client, Store.options("a").schema("b")));
    refused("option_invalid", () -> new SqlStore(new PGSimpleDataSource(), Store.options("a").schema("a.b")));
    refused("field_out_of_range",
        () -> Namespaces.raiseFloor(Stores.of("redis://h/0?namespace=a"), "polyflake",
            Instant.ofEpochMilli(1790000000)));
    refused("worker_source_invalid", () -> Stores.of("redis://h/0"));
    refused("worker_source_invalid", () -> Stores.of("redis://h:port/0?namespace=a"));
    refused("option_invalid",
        () -> Generator.builder().worker("redis://h/0?namespace=a").clock(new ManualClock(0)).build());
    assertEquals("RedisStore(redis?namespace=a)", new RedisStore(client, Store.options("a")).toString());
  }

  @Test
  void an_interrupted_thread_opens_and_stays_interrupted() {
    Thread.currentThread().interrupt();
    try (Generator generator = open(fresh(newMemory("")))) {
      generator.nextId();
      assertTrue(Thread.interrupted());
    } finally {
      Thread.interrupted();
    }
  }
}
