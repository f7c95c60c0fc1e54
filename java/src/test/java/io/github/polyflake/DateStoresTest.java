package io.github.polyflake;

import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.CounterOptions;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dates over the real server of each store that has a clock. */
@ExtendWith(PatientClose.class)
class DateStoresTest {
  private static final String ZONE = "Pacific/Auckland";

  private interface Fact {
    /** url: of a namespace with one counter, "orders", of days in {@link #ZONE}. */
    void holds(String url) throws Exception;
  }

  private static List<DynamicTest> forEachStore(Fact fact) {
    List<DynamicTest> tests = new ArrayList<>();
    List.of("redis", "postgresql", "mysql").forEach(kind -> tests.add(DynamicTest.dynamicTest(kind, () -> {
      String url = RealStores.address(kind) + "?namespace=java-" + UUID.randomUUID();
      RealStores.fresh(Stores.of(url));
      Namespaces.initCounter(Stores.of(url), "orders", 0, CounterOptions.date().zone(ZONE));
      fact.holds(url);
    })));
    return tests;
  }

  private static DateIdBuilder orders(String url) {
    return Kinds.date().store(url).name("orders").prefix("ORD").zone(ZONE)
        .timeout(Duration.ofMillis(Patience.HANG_MS));
  }

  @TestFactory
  List<DynamicTest> numbers_begin_with_the_day_of_a_zone_that_the_jvm_knows() {
    return forEachStore(url -> {
      long before = DateZonesTest.today(ZONE);
      long last;
      try (DateIdSource ids = orders(url).build()) {
        String text = ids.nextIdString();
        assertTrue(text.matches("ORD\\d{14}"), text);
        last = ids.numbers().parse(text);
        assertTrue(ids.numbers().parts(last).label() >= before, text);
        for (long number : ids.nextIds(20)) {
          assertTrue(number > last, number + " after " + last);
          last = number;
        }
      }
      try (LongSource again = (LongSource) Kinds.open("date:" + url).option("name", "orders").option("zone", ZONE)
          .option("timeout", Duration.ofMillis(Patience.HANG_MS)).build()) {
        assertTrue(again.nextId() > last);
      }
      try (DateIdSource ids = orders(url).step(10).build()) {
        assertTrue(DateZonesTest.labelOf(ids) <= DateZonesTest.today(ZONE));
      }
    });
  }

  @TestFactory
  List<DynamicTest> operators_set_a_counter_of_a_named_zone() {
    return forEachStore(url -> {
      Store store = Stores.of(url);
      Namespaces.initCounter(store, "orders", 7, CounterOptions.date().zone(ZONE)); // which is there
      refused("layout_mismatch", () -> Namespaces.initCounter(store, "orders", 0, CounterOptions.date()));
      refused("layout_mismatch", () -> orders(url).zone("+12:00").build());
      refused("option_invalid", () -> orders(url).zone("Pacific/Atlantis").build());
      Namespaces.raiseCounter(store, "orders", 999_000);
      try (DateIdSource ids = orders(url).build()) {
        long count = ids.numbers().parts(ids.nextId()).count();
        assertTrue(count == 999_001 || count == 1, "in a day that began meanwhile: " + count);
      }
    });
  }

  @TestFactory
  List<DynamicTest> threads_and_hosts_get_each_number_once() {
    long[] steps = {1, 7, 1, 20};
    return forEachStore(url -> {
      ChildJvm child = ChildJvm.start(Map.of(), Takes.class.getName(), url);
      long[][] taken = new long[ConcurrencyTest.THREADS][];
      ConcurrencyTest.inThreads(thread -> {
        try (DateIdSource ids = orders(url).step(steps[thread % steps.length]).build()) {
          taken[thread] = take(ids);
        }
      });
      assertEquals(0, child.finish().exit, child.err);
      long[] theirs = Arrays.stream(child.out.trim().split(" ")).mapToLong(Long::parseLong).toArray();
      long[] mine = Arrays.stream(taken).flatMapToLong(Arrays::stream).toArray();
      assertEquals((ConcurrencyTest.THREADS + 1) * 100,
          LongStream.concat(Arrays.stream(mine), Arrays.stream(theirs)).distinct().count());
    });
  }

  @TestFactory
  List<DynamicTest> a_store_without_a_clock_keeps_no_dates() {
    List<DynamicTest> tests = new ArrayList<>();
    List.of("zookeeper", "etcd").forEach(kind -> tests.add(DynamicTest.dynamicTest(kind, () -> {
      Store store = Stores.of(RealStores.address(kind) + "?namespace=java-" + UUID.randomUUID());
      Namespaces.init(store, "polyflake", true);
      refused("option_invalid", () -> Namespaces.initCounter(store, "orders", 0, CounterOptions.date().zone(ZONE)));
    })));
    return tests;
  }

  /** Takes 60 numbers one by one, then 40 at once. */
  private static long[] take(DateIdSource ids) {
    return LongStream.concat(LongStream.generate(ids::nextId).limit(60), Arrays.stream(ids.nextIds(40))).toArray();
  }

  static final class Takes {
    public static void main(String[] args) {
      PatientClose.begin();
      try (DateIdSource ids = orders(args[0]).step(5).build()) {
        StringBuilder all = new StringBuilder();
        for (long number : take(ids)) {
          all.append(number).append(' ');
        }
        System.out.println(all);
      }
    }
  }
}
