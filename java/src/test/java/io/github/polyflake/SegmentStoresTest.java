package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.CounterState;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.RealStores;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Segments over the real server of each store. */
@ExtendWith(PatientClose.class)
class SegmentStoresTest {
  private static final List<String> KINDS = List.of("redis", "zookeeper", "etcd", "postgresql", "mysql");

  private interface Fact {
    /** url: of a namespace with one counter, "orders", which begins at 1. */
    void holds(String url) throws Exception;
  }

  private static List<DynamicTest> forEachStore(Fact fact) {
    List<DynamicTest> tests = new ArrayList<>();
    KINDS.forEach(kind -> tests.add(DynamicTest.dynamicTest(kind, () -> {
      String url = RealStores.address(kind) + "?namespace=java-" + UUID.randomUUID();
      RealStores.fresh(Stores.of(url));
      Namespaces.initCounter(Stores.of(url), "orders", 0);
      fact.holds(url);
    })));
    return tests;
  }

  private static SegmentBuilder orders(String url) {
    return Kinds.segment().store(url).name("orders").timeout(Duration.ofMillis(Patience.HANG_MS));
  }

  private static long[] from(long first, int count) {
    return LongStream.range(first, first + count).toArray();
  }

  @TestFactory
  List<DynamicTest> numbers_follow_each_other_and_none_is_lost_by_closing() {
    return forEachStore(url -> {
      try (SegmentSource ids = orders(url).build()) {
        for (long number : from(1, 250)) {
          assertEquals(number, ids.nextId());
        }
        assertArrayEquals(from(251, 1000), ids.nextIds(1000));
        assertEquals(1250, ids.stats().issued());
        assertTrue(ids.stats().held() > 0);
        assertTrue(ids.stats().fetches() > 0);
      }
      try (LongSource again = (LongSource) Kinds.open("segment:" + url).option("name", "orders")
          .option("timeout", Duration.ofMillis(Patience.HANG_MS)).build()) {
        assertEquals(1251, again.nextId());
        assertEquals(1252, again.tryNextId().getAsLong());
      }
    });
  }

  @TestFactory
  List<DynamicTest> counters_are_listed_and_none_in_an_empty_namespace() {
    return forEachStore(url -> {
      Namespaces.initCounter(Stores.of(url), List.of("invoices", "a.b"), 41, CounterOptions.segment());
      List<CounterState> found = Namespaces.counters(Stores.of(url));
      assertEquals(List.of("a.b", "invoices", "orders"),
          found.stream().map(CounterState::name).collect(Collectors.toList()));
      assertEquals(42, found.get(0).next());
      boolean mayFailOver = !url.startsWith("etcd") && !url.startsWith("zookeeper");
      assertEquals(mayFailOver, found.get(0).topUpAgeMs().isPresent());
      assertEquals(mayFailOver, found.get(0).jumpTo().isPresent());
      String empty = url + "-2";
      Namespaces.init(Stores.of(empty), "polyflake", true);
      assertEquals(List.of(), Namespaces.counters(Stores.of(empty)));
    });
  }

  @TestFactory
  List<DynamicTest> counters_of_dates_are_listed_and_set_in_their_period() {
    return Stream.of("redis", "postgresql", "mysql").map(kind -> DynamicTest.dynamicTest(kind, () -> {
      Store store = Stores.of(RealStores.address(kind) + "?namespace=java-" + UUID.randomUUID());
      Namespaces.init(store, "polyflake", true);
      Namespaces.initCounter(store, "years", 7, CounterOptions.date().period("yyyy").digits(4).zone("+08:00"));
      CounterState years = Namespaces.counters(store).get(0);
      assertEquals("date", years.kind());
      assertEquals("yyyy", years.period());
      assertEquals(4, years.digits());
      assertEquals("+08:00", years.zone());
      assertEquals(8, years.next());
      Namespaces.raiseCounter(store, "years", 50, years.periodLabel());
      assertEquals(51, Namespaces.counters(store).get(0).next());
      refused("option_invalid", () -> Namespaces.raiseCounter(store, "years", 90, years.periodLabel() - 1));
      assertEquals(51, Namespaces.counters(store).get(0).next());
    })).collect(Collectors.toList());
  }

  @TestFactory
  List<DynamicTest> sources_with_the_same_options_share_their_numbers() {
    return forEachStore(url -> {
      SegmentSource one = orders(url).step(10).build();
      SegmentSource other = orders(url).step(10).build();
      for (int i = 0; i < 20; i++) {
        assertEquals(2 * i + 1, one.nextId());
        assertEquals(2 * i + 2, other.nextId());
      }
      one.close();
      refused("generator_closed", one::nextId);
      assertEquals(41, other.nextId());
      other.close();
    });
  }

  /** Takes 150 numbers one by one, then 50 at once. */
  private static long[] take(SegmentSource ids) {
    return LongStream.concat(LongStream.generate(ids::nextId).limit(150), Arrays.stream(ids.nextIds(50))).toArray();
  }

  @TestFactory
  List<DynamicTest> threads_and_hosts_get_each_number_once() {
    long[] steps = {3, 7, 50, 51};
    return forEachStore(url -> {
      ChildJvm child = ChildJvm.start(Map.of(), Takes.class.getName(), url);
      long[][] taken = new long[ConcurrencyTest.THREADS][];
      ConcurrencyTest.inThreads(thread -> {
        try (SegmentSource ids = orders(url).step(steps[thread % steps.length]).build()) {
          taken[thread] = take(ids);
        }
      });
      assertEquals(0, child.finish().exit, child.err);
      long[] theirs = Arrays.stream(child.out.trim().split(" ")).mapToLong(Long::parseLong).toArray();
      long[] mine = Arrays.stream(taken).flatMapToLong(Arrays::stream).toArray();
      assertEquals((ConcurrencyTest.THREADS + 1) * 200,
          LongStream.concat(Arrays.stream(mine), Arrays.stream(theirs)).distinct().count());
    });
  }

  static final class Takes {
    public static void main(String[] args) {
      PatientClose.begin();
      try (SegmentSource ids = orders(args[0]).step(5).build()) {
        StringBuilder all = new StringBuilder();
        for (long number : take(ids)) {
          all.append(number).append(' ');
        }
        System.out.println(all);
      }
    }
  }

  @TestFactory
  List<DynamicTest> what_was_never_made_is_refused() {
    return forEachStore(url -> {
      String others = url.replace("namespace=java-", "namespace=others-");
      refused("namespace_not_initialised", () -> orders(url).name("invoices").build());
      refused("namespace_not_initialised", () -> orders(others).build());
      refused("namespace_not_initialised", () -> Namespaces.initCounter(Stores.of(others), "orders", 0));
    });
  }

  @TestFactory
  List<DynamicTest> operators_set_a_counter() {
    return forEachStore(url -> {
      try (SegmentSource ids = orders(url).build()) {
        assertEquals(1, ids.nextId());
      }
      Namespaces.initCounter(Stores.of(url), "orders", 7);
      Namespaces.initCounter(Stores.of(url), "more", 7);
      Namespaces.raiseCounter(Stores.of(url), "orders", 1_000_000_000_000_000_000L);
      try (SegmentSource ids = orders(url).build()) {
        assertEquals(1_000_000_000_000_000_001L, ids.nextId());
      }
      Namespaces.raiseCounter(Stores.of(url), "orders", 41);
      try (SegmentSource ids = orders(url).build()) {
        assertEquals(42, ids.nextId());
      }
      try (SegmentSource ids = orders(url).name("more").build()) {
        assertEquals(8, ids.nextId());
      }
    });
  }

  @TestFactory
  List<DynamicTest> closing_while_others_take_gives_no_number_twice() {
    return forEachStore(url -> {
      long last = 0;
      for (int round = 0; round < 5; round++) {
        SegmentSource ids = orders(url).build();
        long[] highest = new long[ConcurrencyTest.THREADS];
        int turns = 40 * round;
        ConcurrencyTest.inThreads(thread -> {
          try {
            for (int i = 0; thread != 0 || i < turns; i++) {
              highest[thread] = ids.nextId();
            }
            ids.close();
          } catch (StateException expected) {
            assertEquals("generator_closed", expected.code());
          }
        });
        try (SegmentSource again = orders(url).build()) {
          long first = again.nextId();
          assertTrue(first > last && Arrays.stream(highest).allMatch(number -> number < first), first + " again");
          last = first;
        }
      }
    });
  }

  @TestFactory
  List<DynamicTest> a_jvm_ends_with_an_open_source_and_gives_its_numbers_back() {
    return forEachStore(url -> {
      for (int round = 0; round < 2; round++) {
        ChildJvm child = ChildJvm.start(Map.of(), LeavesItOpen.class.getName(), url, round == 0 ? "return" : "exit");
        assertEquals(0, child.finish().exit, child.err);
        assertEquals(3 * round + 3 + "\n", child.out, child.err);
      }
      try (SegmentSource ids = orders(url).build()) {
        assertEquals(7, ids.nextId());
      }
    });
  }

  static final class LeavesItOpen {
    public static void main(String[] args) {
      PatientClose.begin();
      SegmentSource ids = orders(args[0]).build();
      System.out.println(ids.nextIds(3)[2]);
      if (args[1].equals("exit")) {
        System.exit(0);
      }
    }
  }
}
