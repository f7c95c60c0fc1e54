package io.github.polyflake;

import static io.github.polyflake.ConcurrencyTest.THREADS;
import static io.github.polyflake.ConcurrencyTest.inThreads;
import static io.github.polyflake.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.PatientClose;
import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.time.Duration;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Numbers of a counter of dates in the memory of this process. Tests that count on take years as
 * periods: nothing but New Year ends one meanwhile.
 */
@ExtendWith(PatientClose.class)
class DateIdsTest {
  private static final long YEAR = Year.now(ZoneOffset.UTC).getValue();

  /** The address of a namespace with one counter, "orders", of years. */
  private final String url = "memory://java-" + UUID.randomUUID() + "?namespace=shop";
  private final Store store = Stores.of(url);

  DateIdsTest() {
    Namespaces.init(store, "polyflake", true);
    init("orders", years());
  }

  private static CounterOptions years() {
    return CounterOptions.date().period("yyyy");
  }

  private void init(String name, CounterOptions options) {
    Namespaces.initCounter(store, name, 0, options);
  }

  /** A busy machine may keep a runner from its work for longer than the 2 s of the default. */
  private DateIdBuilder of(String name) {
    return Kinds.date().store(url).name(name).period("yyyy").timeout(Duration.ofMillis(Patience.HANG_MS));
  }

  private DateIdBuilder orders() {
    return of("orders");
  }

  /** Returns so many numbers of this year, with six digits. */
  private static long[] from(long first, int count) {
    long begin = YEAR * 1_000_000 + first;
    return LongStream.range(begin, begin + count).toArray();
  }

  @Test
  void numbers_begin_with_the_period_and_follow_each_other_in_all_forms() {
    try (DateIdSource ids = orders().prefix("ORD").step(10_000).build()) {
      assertEquals(YEAR * 1_000_000 + 1, ids.nextId());
      assertEquals("ORD" + YEAR + "000002", ids.nextIdString());
      assertEquals(OptionalLong.of(YEAR * 1_000_000 + 3), ids.tryNextId());
      assertArrayEquals(from(4, 5000), ids.nextIds(5000));
      long[] filled = new long[3];
      ids.fill(filled);
      assertArrayEquals(from(5004, 3), filled);
      assertEquals(0, ids.nextIds(0).length);
      assertEquals("date", ids.kind());
      assertEquals("open", ids.state().name());
      assertNull(ids.state().code());
      assertEquals("DateIds(name=orders, state=open)", ids.toString());
    }
  }

  @Test
  void printed_forms_are_read_by_the_numbers_of_the_source() {
    init("few", years().digits(3));
    try (DateIdSource ids = of("few").digits(3).prefix("R-").build()) {
      String text = ids.nextIdString();
      assertEquals("R-" + YEAR + "001", text);
      assertEquals(DateNumbers.of("yyyy", 3, "R-"), ids.numbers());
      long number = ids.numbers().parse(text);
      assertEquals(YEAR * 1000 + 1, number);
      assertEquals(YEAR, ids.numbers().parts(number).label());
      assertEquals(1, ids.numbers().parts(number).count());
      refused("text_invalid", () -> ids.numbers().parse("ORD" + YEAR + "001"));
    }
  }

  @Test
  void one_number_at_a_time_is_fetched_unless_a_step_is_given() throws Exception {
    try (DateIdSource ids = orders().build()) {
      assertEquals(OptionalLong.empty(), ids.tryNextId());
      Patience.eventually(() -> ids.stats().held() == 1);
      assertEquals(OptionalLong.of(YEAR * 1_000_000 + 1), ids.tryNextId());
      assertEquals(1, ids.stats().step());
    }
    try (DateIdSource ids = orders().step(100).build()) {
      assertArrayEquals(from(2, 30), ids.nextIds(30));
      assertEquals(100, ids.stats().step());
      assertEquals(70, ids.stats().held());
      assertTrue(ids.stats().left() > 900_000 && ids.stats().left() < 1_000_000);
    }
  }

  @Test
  void sources_with_the_same_shape_and_options_share_numbers_whatever_their_prefix() {
    try (DateIdSource one = orders().step(10).prefix("A").build();
        DateIdSource other = orders().step(10).prefix("B").build();
        DateIdSource stranger = orders().step(20).build()) {
      assertEquals("A" + YEAR + "000001", one.nextIdString());
      assertEquals("B" + YEAR + "000002", other.nextIdString());
      assertEquals(YEAR * 1_000_000 + 11, stranger.nextId());
      one.close();
      one.close();
      refused("generator_closed", one::nextIdString);
      refused("generator_closed", one::tryNextId);
      refused("generator_closed", () -> one.nextIds(0));
      assertTrue(one.isClosed());
      assertEquals("closed", one.state().name());
      assertEquals("B" + YEAR + "000003", other.nextIdString());
    }
  }

  @Test
  void a_counter_of_another_shape_is_refused() {
    init("days", CounterOptions.date());
    init("tokyo", years().zone("Asia/Tokyo"));
    init("numbers", CounterOptions.segment());
    refused("layout_mismatch", () -> of("days").build());
    refused("layout_mismatch", () -> orders().digits(7).build());
    refused("layout_mismatch", () -> orders().zone("+01:00").build());
    refused("layout_mismatch", () -> orders().zone("Asia/Tokyo").build());
    refused("layout_mismatch", () -> of("tokyo").build());
    refused("layout_mismatch", () -> of("tokyo").zone("+09:00").build());
    refused("layout_mismatch", () -> of("numbers").build());
    refused("layout_mismatch", () -> Kinds.segment().store(url).name("orders").build());
    refused("layout_mismatch", () -> init("orders", CounterOptions.date()));
    refused("namespace_not_initialised", () -> of("invoices").build());
    try (DateIdSource ids = of("tokyo").zone("Asia/Tokyo").build()) {
      assertEquals(1, ids.numbers().parts(ids.nextId()).count());
    }
  }

  @Test
  void a_count_never_carries_into_the_date() {
    init("few", years().digits(1));
    try (DateIdSource ids = of("few").digits(1).build()) {
      assertArrayEquals(LongStream.rangeClosed(10 * YEAR + 1, 10 * YEAR + 9).toArray(), ids.nextIds(9));
      refused("range_exhausted", ids::nextId);
      refused("range_exhausted", ids::nextIdString);
      assertEquals("waiting", ids.state().name());
      assertEquals("range_exhausted", ids.state().code());
    }
    Namespaces.raiseCounter(store, "few", 7);
    try (DateIdSource ids = of("few").digits(1).build()) {
      assertEquals(10 * YEAR + 8, ids.nextId());
      assertEquals(10 * YEAR + 9, ids.nextId());
      refused("range_exhausted", ids::nextId);
    }
    refused("option_invalid", () -> Namespaces.raiseCounter(store, "few", 10));
  }

  @Test
  void threads_get_each_number_once_and_rising() throws Exception {
    int each = 20_000;
    long[] numbers = new long[THREADS * each];
    try (DateIdSource ids = orders().step(1000).build()) {
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
    }
    Arrays.sort(numbers);
    assertArrayEquals(from(1, numbers.length), numbers);
  }

  @Test
  void options_go_by_the_names_of_the_builder() {
    init("days", CounterOptions.date().digits(4).zone("-03:30"));
    try (LongSource ids = assertInstanceOf(LongSource.class,
        Kinds.open("date:" + url).option("name", "days").option("prefix", "D").option("period", "yyyyMMdd")
            .option("digits", 4).option("zone", "-03:30").option("step", 7L)
            .option("timeout", Duration.ofSeconds(30)).build())) {
      assertTrue(ids.nextIdString().matches("D\\d{8}0001"));
      assertEquals(7, ids.stats().step());
    }
    try (IdSource ids = Kinds.open("date").option("store", store).option("name", "orders").option("period", "yyyy")
        .build()) {
      assertEquals(YEAR + "000001", ids.nextIdString());
    }
    refused("option_invalid", () -> Kinds.open("date").option("name", "orders").build());
    refused("option_invalid", () -> Kinds.open("date:" + url).build());
    refused("option_invalid", () -> Kinds.open("date:" + url).option("store", store).build());
    refused("option_invalid", () -> Kinds.open("date:" + url).option("name", 7).build());
    refused("option_invalid", () -> Kinds.open("date").option("store", 7).option("name", "orders").build());
    Map<String, Object> unknown = Map.of("hold", Duration.ofSeconds(9), "minStep", 3, "maxStep", 700, "rate", 5,
        "Prefix", "D", "digit", 6, "digits", "6", "period", 4, "zone", ZoneOffset.UTC, "timeout", 5);
    unknown.forEach((option, value) -> {
      KindBuilder one =
          Kinds.open("date:" + url).option("name", "orders").option("period", "yyyy").option(option, value);
      refused("option_invalid", one::build);
    });
  }

  @Test
  void options_are_checked_when_it_is_opened() {
    refused("option_invalid", () -> Kinds.date().build());
    refused("option_invalid", () -> Kinds.date().name("orders").build());
    refused("option_invalid", () -> Kinds.date().store("host").name("orders").build());
    refused("option_invalid", () -> Kinds.date().store(store).build());
    refused("option_invalid", () -> of("Orders").build());
    refused("option_invalid", () -> orders().period("yy").build());
    refused("option_invalid", () -> orders().digits(0).build());
    refused("option_invalid", () -> orders().digits(11).build());
    refused("option_invalid", () -> orders().digits(-1).build());
    refused("option_invalid", () -> orders().prefix("a b").build());
    refused("option_invalid", () -> orders().zone("+8:00").build());
    refused("option_invalid", () -> orders().step(0).build());
    refused("option_invalid", () -> orders().step(-1).build());
    refused("option_invalid", () -> orders().timeout(Duration.ZERO).build());
    refused("option_invalid", () -> orders().timeout(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThrows(NullPointerException.class, () -> Kinds.date().store((String) null));
    assertThrows(NullPointerException.class, () -> Kinds.date().store((Store) null));
    assertThrows(NullPointerException.class, () -> Kinds.date().name(null));
    assertThrows(NullPointerException.class, () -> Kinds.date().prefix(null));
    assertThrows(NullPointerException.class, () -> Kinds.date().period(null));
    assertThrows(NullPointerException.class, () -> Kinds.date().zone(null));
    refused("option_invalid", () -> init("more", years().digits(11)));
    refused("option_invalid", () -> init("more", years().period("yy")));
    refused("option_invalid", () -> init("more", years().zone("Z")));
    refused("option_invalid", () -> init("more", years().rate(5)));
    refused("option_invalid", () -> init("more", CounterOptions.segment().digits(5)));
    refused("option_invalid", () -> Namespaces.initCounter(store, "more", 1_000_000, CounterOptions.date()));
    refused("namespace_not_initialised", () -> of("more").build());
  }
}
