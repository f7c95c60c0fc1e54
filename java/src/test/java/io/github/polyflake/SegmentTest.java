package io.github.polyflake;

import static io.github.polyflake.ConcurrencyTest.THREADS;
import static io.github.polyflake.ConcurrencyTest.inThreads;
import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.CounterState;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbers of counters in the memory of this process: what no client of a store matters for. */
@ExtendWith(PatientClose.class)
class SegmentTest {
  /** The address of a namespace with one counter, "orders", which begins at 1. */
  private final String url = "memory://java-" + UUID.randomUUID() + "?namespace=shop";
  private final Store store = Stores.of(url);
  private final String uuid = Namespaces.init(store, "polyflake", true);

  SegmentTest() {
    Namespaces.initCounter(store, "orders", 0);
  }

  /** A busy machine may keep a runner from its work for longer than the 2 s of the default. */
  private SegmentBuilder orders() {
    return Kinds.segment().store(url).name("orders").timeout(Duration.ofMillis(Patience.HANG_MS));
  }

  private static long[] from(long first, int count) {
    return LongStream.range(first, first + count).toArray();
  }

  @Test
  void numbers_follow_each_other_in_all_forms() {
    try (SegmentSource ids = orders().build()) {
      assertEquals(1, ids.nextId());
      assertEquals("2", ids.nextIdString());
      assertEquals(OptionalLong.of(3), ids.tryNextId());
      assertArrayEquals(from(4, 5000), ids.nextIds(5000));
      long[] filled = new long[3];
      ids.fill(filled);
      assertArrayEquals(from(5004, 3), filled);
      assertEquals(0, ids.nextIds(0).length);
      assertEquals("segment", ids.kind());
      assertEquals("open", ids.state().name());
      assertNull(ids.state().code());
      assertEquals("Segment(name=orders, state=open)", ids.toString());
    }
  }

  @Test
  void statistics_tell_what_is_held_and_fetched() {
    try (SegmentSource ids = orders().step(100).build()) {
      ids.nextIds(30);
      Stats stats = ids.stats();
      assertEquals(30, stats.issued());
      assertEquals(100, stats.step());
      assertEquals(70, stats.held());
      assertEquals(1, stats.fetches());
      assertEquals(0, stats.jumps());
      assertTrue(stats.lastFetchMs() >= 0 && stats.lastFetchMs() < Patience.HANG_MS);
      assertTrue(stats.left() > 1L << 62);
      assertTrue(stats.yearsLeft() >= 0); // at the rate of the first millisecond
      assertEquals(uuid, stats.namespaceUuid());
      assertEquals(0, stats.heldMs());
    }
  }

  @Test
  void the_last_source_gives_back_what_is_held() {
    SegmentSource one = orders().build();
    SegmentSource other = orders().build();
    assertEquals(1, one.nextId());
    assertEquals(2, other.nextId());
    one.close();
    one.close();
    refused("generator_closed", one::nextId);
    refused("generator_closed", one::tryNextId);
    refused("generator_closed", () -> one.nextIds(0));
    assertTrue(one.isClosed());
    assertEquals("closed", one.state().name());
    assertEquals(3, other.nextId());
    other.close();
    try (SegmentSource again = orders().build()) {
      assertEquals(4, again.nextId());
    }
  }

  @Test
  void sources_with_other_options_have_ranges_of_their_own() {
    try (SegmentSource one = orders().step(10).build(); SegmentSource other = orders().step(20).build()) {
      assertEquals(1, one.nextId());
      assertEquals(11, other.nextId());
      assertEquals(2, one.nextId());
    }
  }

  @Test
  void a_try_that_finds_nothing_asks_the_store_and_uses_nothing_up() throws Exception {
    try (SegmentSource ids = orders().step(1).build()) {
      assertEquals(OptionalLong.empty(), ids.tryNextId());
      Patience.eventually(() -> ids.stats().held() == 1);
      assertEquals(OptionalLong.of(1), ids.tryNextId());
    }
  }

  @Test
  void threads_get_each_number_once_and_rising() throws Exception {
    int each = 200_000;
    long[] numbers = new long[THREADS * each];
    try (SegmentSource ids = orders().build()) {
      inThreads(thread -> {
        long last = 0;
        for (int i = 0; i < each;) {
          long[] next = i % 7 == 0 ? ids.nextIds(Math.min(i % 300 + 1, each - i)) : new long[] {ids.nextId()};
          for (long number : next) {
            assertTrue(last < number, "not rising");
            last = number;
            numbers[thread * each + i++] = number;
          }
        }
      });
      assertEquals(numbers.length, ids.stats().issued());
    }
    Arrays.sort(numbers);
    assertArrayEquals(from(1, numbers.length), numbers);
  }

  @Test
  void threads_get_each_number_once_though_ranges_are_replaced_all_the_time() throws Exception {
    for (long step : new long[] {1, 7}) {
      int each = step == 1 ? 1000 : 10_000;
      long[] numbers = new long[THREADS * each];
      Namespaces.initCounter(store, "step-" + step, 0);
      SegmentBuilder builder = orders().name("step-" + step).step(step);
      try (SegmentSource one = builder.build(); SegmentSource other = builder.build()) {
        inThreads(thread -> {
          long last = 0;
          for (int i = 0; i < each;) {
            SegmentSource ids = i % 3 == 0 ? one : other;
            long[] next = i % 11 == 0 ? ids.nextIds(Math.min(i % 10 + 1, each - i))
                : new long[] {i % 5 == 0 ? ids.tryNextId().orElseGet(ids::nextId) : ids.nextId()};
            for (long number : next) {
              assertTrue(last < number, "not rising");
              last = number;
              numbers[thread * each + i++] = number;
            }
          }
        });
        assertEquals(numbers.length, one.stats().issued());
      }
      Arrays.sort(numbers);
      assertArrayEquals(from(1, numbers.length), numbers);
    }
  }

  @Test
  void a_source_that_is_closed_gives_nothing_of_what_another_one_holds() throws Exception {
    for (int round = 0; round < 100; round++) {
      int turn = 20 * round;
      try (SegmentSource other = orders().build()) {
        SegmentSource ids = orders().build();
        inThreads(thread -> {
          try {
            for (int i = 0; thread != 0 || i < turn; i++) {
              ids.nextId();
            }
            ids.close();
            ids.nextId();
            throw new AssertionError("issued after close");
          } catch (StateException expected) {
            assertEquals("generator_closed", expected.code());
          }
        });
        long last = other.nextId();
        refused("generator_closed", ids::nextId);
        assertEquals(last + 1, other.nextId());
      }
    }
  }

  static final class InNativeImage {
    public static void main(String[] args) {
      Store store = Stores.of("memory://image?namespace=shop");
      Namespaces.init(store, "polyflake", true);
      Namespaces.initCounter(store, "orders", 0);
      try (SegmentSource ids = Kinds.segment().store(store).name("orders").step(100).build()) {
        for (int number = 1; number <= 1000; number++) {
          assertEquals(number, ids.nextId());
        }
        ids.close();
        refused("generator_closed", ids::nextId);
      }
    }
  }

  /** The property that GraalVM sets there: each number is a native call, as on Java 8. */
  @Test
  void numbers_in_a_native_image_are_the_same() throws Exception {
    ChildJvm child =
        ChildJvm.run("-Dorg.graalvm.nativeimage.imagecode=runtime", InNativeImage.class.getName());
    assertEquals("", child.err);
    assertEquals(0, child.exit);
  }

  @Test
  void numbers_that_are_fetched_one_by_one_reach_the_last_one() {
    Namespaces.initCounter(store, "few", 0,
        CounterOptions.segment().rate(1000).burst(50).top(20).failover(CounterOptions.Failover.TRUST));
    try (SegmentSource ids = orders().name("few").step(1).build()) {
      for (int number = 1; number <= 20; number++) {
        assertEquals(number, ids.nextId());
      }
      refused("range_exhausted", ids::nextId);
      refused("range_exhausted", ids::nextId);
    }
  }

  @Test
  void closing_while_eight_threads_take_ends_each_with_the_same_exception() throws Exception {
    long last = 0;
    for (int round = 0; round < 200; round++) {
      SegmentSource ids = orders().build();
      int turn = round;
      long[] highest = new long[THREADS];
      inThreads(thread -> {
        long[] batch = new long[50];
        try {
          // Thread 0 closes, at another moment in each round.
          for (int i = 0; thread != 0 || i < turn; i++) {
            if (thread % 2 == 0) {
              highest[thread] = ids.nextId();
            } else {
              ids.fill(batch);
              highest[thread] = batch[49];
            }
          }
          ids.close();
          ids.nextId();
          throw new AssertionError("issued after close");
        } catch (StateException expected) {
          assertEquals("generator_closed", expected.code());
          assertTrue(ids.isClosed());
        }
      });
      try (SegmentSource again = orders().build()) {
        long first = again.nextId();
        assertTrue(first > Arrays.stream(highest).max().getAsLong() && first > last, "given back and given out");
        last = first;
      }
    }
  }

  @Test
  void an_interrupted_thread_gets_its_number_and_stays_interrupted() {
    Thread.currentThread().interrupt();
    try (SegmentSource ids = orders().build()) {
      assertEquals(1, ids.nextId());
      assertArrayEquals(from(2, 3000), ids.nextIds(3000));
      assertTrue(Thread.interrupted());
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void virtual_threads_get_each_number_once() throws Exception {
    Method start;
    try {
      start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      return; // a JVM before 21
    }
    long[] numbers = new long[2000];
    try (SegmentSource ids = orders().step(1).build()) {
      Thread[] threads = new Thread[numbers.length];
      for (int i = 0; i < threads.length; i++) {
        int at = i;
        threads[i] = (Thread) start.invoke(null, (Runnable) () -> numbers[at] = ids.nextId());
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    Arrays.sort(numbers);
    assertArrayEquals(from(1, numbers.length), numbers);
  }

  @Test
  void options_go_by_the_names_of_the_builder() {
    try (LongSource ids = assertInstanceOf(LongSource.class,
        Kinds.open("segment:" + url).option("name", "orders").option("step", 7).option("hold", Duration.ofSeconds(9))
            .option("minStep", 3L).option("maxStep", 700).option("timeout", Duration.ofSeconds(30)).build())) {
      assertEquals(1, ids.nextId());
      assertEquals(7, ids.stats().step());
    }
    try (IdSource ids = Kinds.open("segment").option("store", store).option("name", "orders").build()) {
      assertEquals("2", ids.nextIdString());
    }
    refused("option_invalid", () -> Kinds.open("segment").option("name", "orders").build());
    refused("option_invalid", () -> Kinds.open("segment:" + url).build());
    refused("option_invalid", () -> Kinds.open("segment:" + url).option("store", store).build());
    refused("option_invalid", () -> Kinds.open("segment:" + url).option("name", 7).build());
    refused("option_invalid", () -> Kinds.open("segment:" + url).option("name", "orders").option("hold", 5).build());
    refused("option_invalid", () -> Kinds.open("segment:" + url).option("name", "orders").option("rate", 5).build());
    refused("option_invalid", () -> Kinds.open("segment").option("store", 7).option("name", "orders").build());
  }

  @Test
  void options_are_checked_when_it_is_opened() {
    refused("option_invalid", () -> Kinds.segment().build());
    refused("option_invalid", () -> Kinds.segment().name("orders").build());
    refused("option_invalid", () -> Kinds.segment().store("host").name("orders").build());
    refused("option_invalid", () -> Kinds.segment().store(store).build());
    refused("option_invalid", () -> Kinds.segment().store(store).name("Orders").build());
    refused("option_invalid", () -> orders().step(0).build());
    refused("option_invalid", () -> orders().step(-1).build());
    refused("option_invalid", () -> orders().hold(Duration.ofMillis(-1)).build());
    refused("option_invalid", () -> orders().minStep(0).build());
    refused("option_invalid", () -> orders().minStep(10).maxStep(9).build());
    refused("option_invalid", () -> orders().timeout(Duration.ZERO).build());
    refused("option_invalid", () -> orders().timeout(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThrows(NullPointerException.class, () -> Kinds.segment().store((String) null));
    assertThrows(NullPointerException.class, () -> Kinds.segment().store((Store) null));
    assertThrows(NullPointerException.class, () -> Kinds.segment().name(null));
    try (SegmentSource ids = orders().build()) {
      refused("option_invalid", () -> ids.nextIds(-1));
      assertThrows(NullPointerException.class, () -> ids.fill(null));
    }
  }

  @Test
  void operators_make_counters_and_set_them() {
    Namespaces.initCounter(store, "orders", 7); // which is there
    Namespaces.initCounter(store, "few", 10,
        CounterOptions.segment().rate(1000).burst(50).top(12).failover(CounterOptions.Failover.TRUST));
    try (SegmentSource ids = Kinds.segment().store(store).name("few").build()) {
      assertArrayEquals(from(11, 2), ids.nextIds(2));
      refused("range_exhausted", ids::nextId);
      assertEquals("waiting", ids.state().name());
      assertEquals("range_exhausted", ids.state().code());
    }
    Namespaces.raiseCounter(store, "orders", 1_000_000_000_000_000_000L);
    try (SegmentSource ids = orders().build()) {
      assertEquals(1_000_000_000_000_000_001L, ids.nextId());
    }
    Namespaces.raiseCounter(store, "orders", 41);
    try (SegmentSource ids = orders().build()) {
      assertEquals(42, ids.nextId());
    }
    refused("option_invalid", () -> Namespaces.initCounter(store, "Orders", 0));
    refused("option_invalid", () -> Namespaces.initCounter(store, "more", -1));
    refused("option_invalid", () -> Namespaces.initCounter(store, "more", Long.MAX_VALUE));
    refused("option_invalid", () -> Namespaces.initCounter(store, "more", 0, CounterOptions.segment().rate(-1)));
    refused("option_invalid", () -> Namespaces.initCounter(store, "more", 0, CounterOptions.segment().top(100)));
    refused("option_invalid", () -> Namespaces.raiseCounter(store, "orders", -1));
    refused("namespace_not_initialised", () -> Namespaces.raiseCounter(store, "more", 1));
    assertThrows(NullPointerException.class, () -> CounterOptions.segment().failover(null));
  }

  @Test
  void counters_are_listed_by_name() {
    Namespaces.initCounter(store, List.of("invoices", "9-lives"), 41, CounterOptions.segment());
    Namespaces.initCounter(store, Map.of("zero", 1L << 62),
        CounterOptions.segment().failover(CounterOptions.Failover.TRUST));
    List<CounterState> found = Namespaces.counters(store);
    assertEquals(List.of("9-lives", "invoices", "orders", "zero"),
        found.stream().map(CounterState::name).collect(Collectors.toList()));
    assertEquals(42, found.get(1).next());
    CounterState zero = found.get(3);
    assertEquals("segment", zero.kind());
    assertEquals((1L << 62) + 1, zero.next());
    assertEquals((1L << 62) - 2, zero.room());
    assertEquals(Long.MAX_VALUE - 1, zero.top());
    assertEquals(CounterOptions.Failover.TRUST, zero.failover());
    assertFalse(zero.topUpAgeMs().isPresent());
    assertFalse(zero.incarnation().isEmpty());
    assertFalse(zero.incarnationChanged());
    assertFalse(zero.jumpTo().isPresent());
    assertEquals("", zero.period());
    assertEquals(0, zero.digits());
    assertEquals("", zero.zone());
    assertEquals(0, zero.periodLabel());
    assertEquals("CounterState(name=zero, kind=segment, next=4611686018427387905)", zero.toString());
    refused("namespace_not_initialised",
        () -> Namespaces.counters(Stores.of(url.replace("namespace=shop", "namespace=others"))));
  }

  @Test
  void nothing_is_made_of_a_list_with_a_wrong_name() {
    Map<String, Long> wrong = new LinkedHashMap<>();
    refused("option_invalid", () -> Namespaces.initCounter(store, wrong, CounterOptions.segment()));
    wrong.put("good", 1L);
    wrong.put("Bad", 1L);
    refused("option_invalid", () -> Namespaces.initCounter(store, wrong, CounterOptions.segment()));
    wrong.remove("Bad");
    wrong.put("bad", -1L);
    refused("option_invalid", () -> Namespaces.initCounter(store, wrong, CounterOptions.segment()));
    List<String> names = List.of("good", "");
    refused("option_invalid", () -> Namespaces.initCounter(store, names, 0, CounterOptions.segment()));
    refused("option_invalid", () -> Namespaces.initCounter(store, "good", 0, CounterOptions.segment().digits(4)));
    refused("option_invalid", () -> Namespaces.initCounter(store, "good", 0, CounterOptions.date().period("day")));
    for (long period : new long[] {0, -1, 2026}) {
      refused("option_invalid", () -> Namespaces.raiseCounter(store, "orders", 0, period));
    }
    assertEquals(1, Namespaces.counters(store).size());
  }

  @Test
  void what_was_never_made_is_refused() {
    refused("namespace_not_initialised", () -> Kinds.segment().store(store).name("invoices").build());
    String other = url.replace("namespace=shop", "namespace=others");
    refused("namespace_not_initialised", () -> Kinds.segment().store(other).name("orders").build());
    refused("namespace_not_initialised", () -> Namespaces.initCounter(Stores.of(other), "orders", 0));
    refused("wrong_namespace", () -> Kinds.segment().store(url + "&uuid=" + "0".repeat(32)).name("orders").build());
    try (SegmentSource ids = Kinds.segment().store(url + "&uuid=" + uuid).name("orders").build()) {
      assertEquals(1, ids.nextId());
    }
  }
}
