package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Numbers of ticket servers: two real MariaDB servers, which die and forget. */
class TicketsTest {
  private static TicketServers servers;

  @BeforeAll
  static void start() throws Exception {
    servers = new TicketServers();
  }

  @AfterAll
  static void end() throws Exception {
    servers.close();
  }

  private static TicketBuilder tickets(String table) {
    return Kinds.ticket().stores(servers.urls).table(table).timeout(Duration.ofMillis(Patience.HANG_MS));
  }

  private static long[] residues(long[] numbers) {
    return LongStream.of(numbers).map(number -> number % 2).toArray();
  }

  private static long[] rising(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }

  @Test
  void servers_give_numbers_by_turns() throws Exception {
    String table = servers.table();
    try (LongSource ids = tickets(table).build()) {
      for (long number : rising(10)) {
        assertEquals(number, ids.nextId());
      }
      assertArrayEquals(LongStream.rangeClosed(11, 20).toArray(), ids.nextIds(10));
      assertEquals("21", ids.nextIdString());
      assertFalse(ids.tryNextId().isPresent());
      assertEquals("ticket", ids.kind());
      assertEquals(21, ids.stats().issued());
      refused("option_invalid", () -> ids.nextIds(-1));
    }
    try (LongSource again = (LongSource) Kinds.open("ticket").option("store", servers.urls).option("table", table)
        .option("timeout", Duration.ofMillis(Patience.HANG_MS)).build()) {
      assertEquals(22, again.nextId(), "the process knows which server was used last");
    }
    try (LongSource alone = (LongSource) Kinds.open("ticket:" + servers.urls.get(0)).option("table", table)
        .option("timeout", Duration.ofMillis(Patience.HANG_MS)).build()) {
      assertEquals(23, alone.nextId());
    }
    assertTrue(Kinds.names().contains("ticket"));
  }

  @Test
  void threads_and_processes_get_each_number_once() throws Exception {
    String table = servers.table();
    ChildJvm child = ChildJvm.start(Map.of(), Takes.class.getName(), table, servers.urls.get(0), servers.urls.get(1));
    long[][] taken = new long[ConcurrencyTest.THREADS][];
    try (LongSource ids = tickets(table).build()) {
      ConcurrencyTest.inThreads(thread -> taken[thread] = ids.nextIds(50));
      assertEquals(0, ids.stats().storeFailures());
    }
    assertEquals(0, child.finish().exit, child.err);
    long[] theirs = Arrays.stream(child.out.trim().split(" ")).mapToLong(Long::parseLong).toArray();
    assertArrayEquals(LongStream.range(0, 100).map(i -> 1 - i % 2).toArray(), residues(theirs));
    long[] mine = Arrays.stream(taken).flatMapToLong(Arrays::stream).toArray();
    assertEquals(ConcurrencyTest.THREADS * 50 + 100,
        LongStream.concat(LongStream.of(mine), LongStream.of(theirs)).distinct().count());
  }

  static final class Takes {
    public static void main(String[] args) {
      try (LongSource ids = Kinds.ticket().store(args[1]).store(args[2]).table(args[0])
          .timeout(Duration.ofMillis(Patience.HANG_MS)).build()) {
        StringBuilder all = new StringBuilder();
        for (long number : ids.nextIds(100)) {
          all.append(number).append(' ');
        }
        System.out.println(all);
      }
    }
  }

  /** Keeps the connections that another source makes. */
  private static final class Kept implements DataSource {
    final List<Connection> made = Collections.synchronizedList(new ArrayList<>());
    private final DataSource source;

    Kept(DataSource source) {
      this.source = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
      made.add(source.getConnection());
      return made.get(made.size() - 1);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      throw new SQLException();
    }

    @Override
    public PrintWriter getLogWriter() {
      return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    @Override
    public Logger getParentLogger() {
      return null;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }

  @Test
  void data_sources_are_taken_and_a_connection_of_each_is_kept() throws Exception {
    String table = servers.table();
    Kept kept = new Kept(servers.source(1));
    TicketBuilder builder = Kinds.ticket().store(servers.source(0)).store(kept).table(table)
        .timeout(Duration.ofMillis(Patience.HANG_MS));
    LongSource one = builder.build();
    LongSource other = builder.build();
    for (long number = 1; number <= 10; number += 2) {
      assertEquals(number, one.nextId());
      assertEquals(number + 1, other.nextId());
    }
    assertEquals(1, kept.made.size());
    assertTrue(kept.made.get(0).getAutoCommit());
    one.close();
    one.close();
    assertTrue(one.isClosed());
    refused("generator_closed", one::nextId);
    refused("generator_closed", one::tryNextId);
    refused("generator_closed", () -> one.nextIds(0));
    refused("generator_closed", one::nextIdString);
    assertEquals(11, other.nextId());
    other.close();
    Patience.eventually(kept.made.get(0)::isClosed);
  }

  @Test
  void numbers_beyond_two_to_the_53_are_exact() throws Exception {
    String table = servers.table();
    for (int server = 0; server < 2; server++) {
      servers.execute(server, "ALTER TABLE " + table + " AUTO_INCREMENT = " + ((1L << 60) + 256));
    }
    try (LongSource ids = tickets(table).build()) {
      long[] numbers = ids.nextIds(6);
      Arrays.sort(numbers);
      assertArrayEquals(LongStream.rangeClosed(256, 261).map(last -> (1L << 60) + last).toArray(), numbers);
    }
  }

  @Test
  void a_server_that_dies_costs_no_call_and_is_asked_again() throws Exception {
    try (LongSource ids = tickets(servers.table()).build()) {
      List<Long> numbers = new ArrayList<>();
      LongStream.of(ids.nextIds(4)).forEach(numbers::add);
      servers.tell("kill", 1);
      try {
        long beganNs = System.nanoTime();
        long[] more = ids.nextIds(6);
        assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1}, residues(more));
        LongStream.of(more).forEach(numbers::add);
        long failures = ids.stats().storeFailures();
        assertTrue(1 <= failures && failures <= 1 + (System.nanoTime() - beganNs) / 1e9, "asked once in 1, 2, 4 s");
      } finally {
        servers.tell("start", 1);
      }
      Patience.eventually(() -> {
        numbers.add(ids.nextId());
        return numbers.get(numbers.size() - 1) % 2 == 0;
      });
      assertEquals(numbers.size(), numbers.stream().distinct().count());
    }
  }

  @Test
  void numbers_come_back_once_a_server_is_back() throws Exception {
    try (LongSource ids = tickets(servers.table()).timeout(Duration.ofSeconds(5)).build()) {
      Patience.eventually(() -> ids.nextId() > 0);
      servers.tell("kill", 0);
      servers.tell("kill", 1);
      try {
        refused("store_unavailable", ids::nextId);
      } finally {
        servers.tell("start", 0);
        servers.tell("start", 1);
      }
      assertTrue(Patience.answerOf(ids::nextId) > 1);
    }
  }

  @Test
  void a_server_that_does_not_answer_leaves_time_for_another() throws Exception {
    String table = servers.table();
    try (LongSource first = tickets(table).build();
        LongSource ids = tickets(table).timeout(Duration.ofSeconds(6)).build()) {
      assertEquals(1, first.nextId()); // with more patience, and by turns with the other
      servers.tell("pause", 1);
      try {
        assertEquals(3, ids.nextId());
        assertEquals(1, ids.stats().storeFailures());
      } finally {
        servers.tell("resume", 1);
      }
    }
  }

  @Test
  void a_lock_that_another_client_holds_is_no_failure() throws Exception {
    String table = servers.table();
    for (DataSource source : new DataSource[] {servers.source(0), servers.mysqlSource(0)}) {
      Kept kept = new Kept(source);
      try (Connection holder = servers.source(0).getConnection();
          LongSource ids =
              Kinds.ticket().store(kept).table(table).timeout(Duration.ofMillis(Patience.HANG_MS)).build()) {
        ids.nextId();
        holder.setAutoCommit(false);
        holder.createStatement().executeQuery("SELECT * FROM " + table + " FOR UPDATE");
        AtomicInteger taken = new AtomicInteger();
        Thread taking = new Thread(() -> taken.set((int) ids.nextId()));
        taking.start();
        Patience.eventually(() -> kept.made.size() > 1); // the server gave up waiting for the lock
        holder.rollback();
        taking.join();
        assertTrue(taken.get() > 1);
        assertEquals(0, ids.stats().storeFailures());
      }
    }
  }

  @Test
  void a_table_that_was_put_back_takes_its_server_out_for_good() throws Exception {
    String table = servers.table();
    try (LongSource ids = tickets(table).build()) {
      ids.nextIds(9);
      servers.execute(1, "TRUNCATE TABLE " + table);
      refused("store_went_back", ids::nextId);
      assertArrayEquals(new long[] {1, 1, 1}, residues(ids.nextIds(3)));
    }
    try (LongSource again = tickets(table).build()) {
      assertArrayEquals(new long[] {1, 1, 1}, residues(again.nextIds(3)));
    }
  }

  @Test
  void a_table_without_numbers_is_misconfigured() throws Exception {
    String table = servers.table();
    servers.execute(1, "ALTER TABLE " + table + " MODIFY id bigint unsigned NOT NULL DEFAULT 0");
    try (LongSource ids = tickets(table).build()) {
      assertEquals(1, ids.nextId());
      refused("store_misconfigured", ids::nextId);
      assertArrayEquals(new long[] {3, 5}, ids.nextIds(2));
    }
  }

  @Test
  void an_interrupt_is_kept_and_the_number_is_given() throws Exception {
    try (LongSource ids = tickets(servers.table()).build()) {
      Thread.currentThread().interrupt();
      assertEquals(1, ids.nextId());
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void bad_options_are_refused() {
    String server = "mysql://h/db";
    refused("option_invalid", () -> Kinds.ticket().build());
    refused("option_invalid", () -> Kinds.ticket().store(server).store(server).build());
    refused("option_invalid", () -> Kinds.ticket().stores(Collections.nCopies(65, server)).build());
    refused("option_invalid", () -> Kinds.ticket().stores(List.of(7)));
    refused("option_invalid", () -> Kinds.ticket().stores(Collections.singletonList(null)));
    refused("option_invalid", () -> Kinds.ticket().store("redis://h/0").build());
    refused("option_invalid", () -> Kinds.ticket().store(server + "?namespace=shop").build());
    refused("worker_source_invalid", () -> Kinds.ticket().store("h").build());
    for (String table : new String[] {"", "a b", "a.b.c", "t`"}) {
      refused("option_invalid", () -> Kinds.ticket().store(server).table(table).build());
    }
    for (long ms : new long[] {0, -1, 1L << 31}) {
      refused("option_invalid", () -> Kinds.ticket().store(server).timeout(Duration.ofMillis(ms)).build());
    }
    refused("option_invalid", () -> Kinds.open("ticket").option("store", 7).build());
    refused("option_invalid", () -> Kinds.open("ticket").option("store", server).option("name", "a").build());
  }

  @Test
  void no_password_is_shown() {
    String secret = "swordfish-1234567890";
    String url = servers.urls.get(0).replaceFirst(":[^:/@]+@", ":" + secret + "@");
    try (LongSource ids = Kinds.ticket().store(url).timeout(Duration.ofSeconds(10)).build()) {
      PolyflakeException e = refused("store_unavailable", ids::nextId);
      assertTrue(e.getMessage().contains("refused this user"), e.getMessage());
      for (Throwable one = e; one != null; one = one.getCause()) {
        assertFalse(one.toString().contains(secret));
      }
      assertFalse(ids.toString().contains(secret));
    }
  }
}
