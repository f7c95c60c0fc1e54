package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.stores.CounterOptions;
import io.github.polyflake.stores.Namespaces;
import io.github.polyflake.stores.Store;
import io.github.polyflake.stores.Stores;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class WrongInputTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  private static String refused(String code, Executable call) {
    PolyflakeException e = Refusals.refused(code, call);
    assertEquals("argument", e.kind());
    return e.getMessage();
  }

  @Test
  void every_number_for_a_worker_field_that_is_no_integer_is_refused() {
    for (Number value : new Number[] {1.0, 1.5, Double.NaN, 1f, BigDecimal.ONE, new AtomicLong(1)}) {
      refused("field_out_of_range", () -> Generator.builder().worker(Map.of("worker", value)).build());
    }
  }

  @Test
  void every_number_for_an_id_field_that_is_no_integer_is_refused() {
    Layout layout = Layout.of("polyflake");
    for (Number value : new Number[] {1.0, 1.5, Double.NaN, 1f, BigDecimal.ONE, new AtomicLong(1)}) {
      refused("field_out_of_range", () -> layout.encodeTick(1, 0, Map.of("worker", value)));
    }
  }

  @Test
  void an_integer_beyond_64_bits_is_out_of_range_and_never_cut() {
    BigInteger seven = BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(7));
    for (BigInteger value : new BigInteger[] {seven, seven.negate(), BigInteger.ONE.shiftLeft(63)}) {
      refused("field_out_of_range", () -> Generator.builder().worker(Map.of("worker", value)).build());
      refused("field_out_of_range", () -> Layout.of("polyflake").encodeTick(1, 0, Map.of("worker", value)));
    }
    refused("field_out_of_range", () -> Generator.builder().worker(Long.MAX_VALUE).build());
    refused("field_out_of_range", () -> Generator.builder().worker(Long.MIN_VALUE).build());
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void a_map_with_other_types_than_it_declares_is_refused() {
    Map texts = Map.of("worker", "7");
    refused("field_out_of_range", () -> Generator.builder().worker((Map<String, Long>) texts));
    refused("field_out_of_range", () -> Layout.of("polyflake").encodeTick(1, 0, (Map<String, Long>) texts));
    Map numbers = Map.of(7, 7);
    refused("unknown_field", () -> Layout.of("polyflake").encodeTick(1, 0, (Map<String, Long>) numbers));
  }

  @Test
  void a_map_that_changes_meanwhile_is_read_once() {
    Map<String, Integer> changing = new AbstractMap<String, Integer>() {
      private int read;

      @Override
      public Set<Entry<String, Integer>> entrySet() {
        Map<String, Integer> now = new LinkedHashMap<>();
        now.put(read % 2 == 0 ? "datacenter" : "worker", 1);
        now.put(read++ % 2 == 0 ? "worker" : "datacenter", 2);
        return now.entrySet();
      }

      @Override
      public int size() {
        return 2;
      }
    };
    Layout layout = Layout.of("twitter");
    for (int i = 0; i < 4; i++) {
      Map<String, Long> fields = layout.decode(layout.encodeTick(1, 0, changing)).fields();
      assertEquals(i % 2 == 0 ? 1 : 2, fields.get("datacenter"));
      assertEquals(i % 2 == 0 ? 2 : 1, fields.get("worker"));
    }
  }

  @Test
  void unknown_fields_are_refused_by_name() {
    Layout layout = Layout.of("polyflake");
    assertTrue(refused("unknown_field", () -> layout.encodeTick(1, 0, Map.of("rack", 1))).contains("rack"));
    refused("unknown_field", () -> Generator.builder().worker(Map.of("worker", 1, "rack", 1)).build());
  }

  @Test
  void a_worker_in_digits_is_no_worker_source() {
    for (String source : new String[] {"7", "", " ", "host ", "host:07", "host:\u0667", "host\0"}) {
      refused("worker_source_invalid", () -> Generator.builder().worker(source).build());
    }
  }

  @Test
  void durations_are_not_negative_and_never_cut() {
    for (Duration wrong : new Duration[] {Duration.ofNanos(-1), Duration.ofMillis(-1),
      Duration.ofSeconds(Long.MIN_VALUE),
      Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMillis(1L << 32)}) {
      refused("option_invalid", () -> Generator.builder().worker(1).maxWait(wrong).build());
      refused("option_invalid", () -> Generator.builder().worker(1).maxLead(wrong).build());
    }
    Generator.builder().worker(1).maxWait(Duration.ofNanos(1)).clock(new ManualClock(0)).build();
  }

  @Test
  void a_spread_outside_its_range_is_refused() {
    for (long spread : new long[] {0, -1, 513, Long.MAX_VALUE, (1L << 32) + 1}) {
      refused("option_invalid", () -> Generator.builder().worker(1).sequenceSpread(spread).build());
    }
  }

  @Test
  void an_ordering_of_another_name_is_refused() {
    for (String ordering : new String[] {"", "none", "Strict", "strict ", "per-thread", "perThread", "PER_THREAD",
      "per_thread\0", "\u0455trict", "\ud83d\ude00", "x".repeat(100_000)}) {
      String message = refused("option_invalid",
          () -> Generator.builder().worker(1).clock(new ManualClock(0)).ordering(ordering).build());
      assertTrue(message.chars().allMatch(c -> c >= 32 && c < 127) && message.length() < 400, message);
    }
  }

  @Test
  void a_negative_count_is_refused() {
    Generator generator = Generator.builder().worker(1).clock(new ManualClock(TIME.toEpochMilli())).build();
    refused("option_invalid", () -> generator.nextIds(-1));
    refused("option_invalid", () -> generator.nextIds(Integer.MIN_VALUE));
    assertEquals(0, generator.stats().issued());
  }

  @Test
  void times_beyond_a_layout_are_refused() {
    Layout layout = Layout.of("polyflake");
    for (Instant time : new Instant[] {Instant.MIN, Instant.MAX, Instant.ofEpochMilli(layout.epochMs() - 1),
      Instant.ofEpochMilli(layout.epochMs()).minusNanos(1), Instant.ofEpochMilli(Long.MAX_VALUE)}) {
      refused("field_out_of_range", () -> layout.firstId(time));
      refused("field_out_of_range", () -> layout.lastId(time));
      refused("field_out_of_range", () -> layout.encode(time, 0, Collections.emptyMap()));
    }
    refused("field_out_of_range", () -> layout.encodeTick(-1, 0, Collections.emptyMap()));
    refused("field_out_of_range", () -> layout.encodeTick(1, 4096, Collections.emptyMap()));
    refused("field_out_of_range", () -> layout.encodeTick(1, -1, Collections.emptyMap()));
    refused("field_out_of_range", () -> layout.encodeTick(1, (1L << 32), Collections.emptyMap()));
  }

  @Test
  void texts_are_read_by_the_core_alone() {
    for (String text : new String[] {"", " 1", "1 ", "+1", "-1", "01", "1_000", "0x10", "\u0661", "1\0", "\0",
      "\ud83d\ude00",
      "1\n", "1L"}) {
      refused("text_invalid", () -> Polyflake.fromText(text));
      refused("text_invalid", () -> Layout.of("polyflake").decode(text));
    }
    refused("id_out_of_range", () -> Polyflake.fromText("18446744073709551616"));
    assertEquals(-1L, Polyflake.fromText("18446744073709551615"));
    assertEquals("18446744073709551615", Polyflake.toText(-1L));
    refused("option_invalid", () -> Polyflake.toText(1, "base64"));
    refused("option_invalid", () -> Polyflake.fromText("1", ""));
  }

  @Test
  void text_that_is_not_a_word_is_not_in_a_message() {
    String message =
        refused("text_invalid", () -> Polyflake.fromText("\u00e9\u0000\ud83d\ude00" + "x".repeat(100_000)));
    assertTrue(message.chars().allMatch(c -> c >= 32 && c < 127), message);
    assertTrue(message.length() < 400, message);
    String name = "\n\u00e9\"" + "x".repeat(100_000);
    message = refused("field_out_of_range", () -> Layout.of("polyflake").encodeTick(1, 0, Map.of(name, 1.5)));
    assertTrue(message.contains("(100003 characters, not shown") && message.length() < 400, message);
  }

  @Test
  void an_id_beyond_the_layout_is_refused() {
    refused("id_out_of_range", () -> Layout.of("polyflake").decode(Long.MIN_VALUE));
    refused("id_out_of_range", () -> Layout.of("js53").decode(1L << 53));
    refused("id_out_of_range", () -> Polyflake.decode(1L << 53, "js53"));
    refused("id_out_of_range", () -> Polyflake.decode(1L << 53, Layout.of("js53")));
    assertEquals(0, Layout.of("polyflake").decode(0).tick());
  }

  @Test
  void null_is_a_null_pointer_exception_everywhere() {
    Layout layout = Layout.of("polyflake");
    Generator generator = Generator.builder().worker(1).clock(new ManualClock(TIME.toEpochMilli())).build();
    Executable[] calls = {
      () -> Layout.of(null),
      () -> layout.decode((String) null),
      () -> Sqids.create().decode(null),
      () -> Sqids.create().encode((long[]) null),
      () -> Sqids.builder().blocklist(null),
      () -> Sqids.builder().blocklist(Collections.singleton(null)).build(),
      () -> Sqids.builder().alphabet(null).build(),
      () -> new Hashids(null),
      () -> new Hashids("salt", 0, null),
      () -> new Hashids().decode(null),
      () -> layout.firstId(null),
      () -> layout.lastId(null),
      () -> layout.encode(null, 0, Collections.emptyMap()),
      () -> layout.encode(TIME, 0, null),
      () -> layout.encodeTick(1, 0, Collections.singletonMap("worker", null)),
      () -> layout.encodeTick(1, 0, Collections.singletonMap(null, 1)),
      () -> Generator.builder().worker((String) null),
      () -> Generator.builder().worker((Map<String, Long>) null),
      () -> Generator.builder().worker(Collections.singletonMap("worker", (Long) null)),
      () -> Generator.builder().layout((String) null),
      () -> Generator.builder().layout((Layout) null),
      () -> Generator.builder().maxWait(null),
      () -> Generator.builder().maxLead(null),
      () -> Generator.builder().ordering(null),
      () -> Generator.builder().clock(null),
      () -> generator.fill(null),
      () -> Polyflake.fromText(null),
      () -> Polyflake.fromText("1", null),
      () -> Polyflake.idFromText(null),
      () -> Polyflake.toText(1, null),
      () -> Polyflake.decode(1, (String) null),
      () -> Polyflake.decode(1, (Layout) null),
      () -> Polyflake.setDefault(null),
    };
    for (int i = 0; i < calls.length; i++) {
      assertThrows(NullPointerException.class, calls[i], "call " + i);
    }
    assertEquals(0, generator.stats().issued());
  }

  @Test
  void null_in_a_call_of_an_operator_is_named() {
    Store store = Stores.of("memory://wrong-input?namespace=nulls");
    CounterOptions options = CounterOptions.segment();
    List<String> none = Collections.singletonList(null);
    isNull("store", () -> Namespaces.init(null, "polyflake"));
    isNull("layout", () -> Namespaces.init(store, null));
    isNull("replicas", () -> Namespaces.init(store, "polyflake", true, null));
    isNull("layout", () -> Namespaces.leases(store, null));
    isNull("layout", () -> Namespaces.raiseFloor(store, null, TIME));
    isNull("floor", () -> Namespaces.raiseFloor(store, "polyflake", (Instant) null));
    isNull("layout", () -> Namespaces.raiseFloor(store, null, Collections.<String>emptyList()));
    isNull("copies", () -> Namespaces.raiseFloor(store, "polyflake", (List<String>) null));
    isNull("layout", () -> Namespaces.raiseFloor(store, null, 1));
    isNull("name", () -> Namespaces.initCounter(store, (String) null, 0));
    isNull("options", () -> Namespaces.initCounter(store, "orders", 0, null));
    isNull("names", () -> Namespaces.initCounter(store, (List<String>) null, 0, options));
    isNull("name", () -> Namespaces.initCounter(store, none, 0, options));
    isNull("after", () -> Namespaces.initCounter(store, (Map<String, Long>) null, options));
    isNull("after", () -> Namespaces.initCounter(store, Collections.singletonMap("orders", null), options));
    isNull("name", () -> Namespaces.raiseCounter(store, null, 0));
    isNull("store", () -> Namespaces.counters(null));
  }

  private static void isNull(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void options_of_lists_of_ids_are_checked() {
    refused("option_invalid", () -> Sqids.builder().alphabet("ab").build());
    refused("option_invalid", () -> Sqids.builder().minLength(256).build());
    refused("option_invalid", () -> Sqids.builder().minLength(Long.MIN_VALUE).build());
    refused("option_invalid", () -> new Hashids("salt", 1025));
    refused("option_invalid", () -> new Hashids("salt", 0, "abc"));
    refused("option_invalid", () -> new Hashids("\ud800"));
    refused("option_invalid", () -> new Hashids("\udc00\ud800"));
  }

  @Test
  void ids_of_lists_are_any_64_bits() {
    long[] ids = {-1, Long.MIN_VALUE, 0};
    assertArrayEquals(ids, Sqids.create().decode(Sqids.create().encode(ids)));
    assertArrayEquals(ids, new Hashids().decode(new Hashids().encode(ids)));
    assertEquals(560, Sqids.defaultBlocklist().size());
    assertEquals("", Sqids.create().encode());
  }
}
