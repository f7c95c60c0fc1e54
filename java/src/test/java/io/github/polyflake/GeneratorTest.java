package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

class GeneratorTest {
  private static final long NOW = Instant.parse("2026-01-01T00:00:00.123Z").toEpochMilli();
  private static final String TINY = "timestamp:40 worker:3 sequence:2 tick=1ms epoch=2020-01-01T00:00:00.000Z";

  private static Generator open(ManualClock clock, String layout, long worker) {
    return Generator.builder().worker(worker).layout(layout).clock(clock).build();
  }

  @Test
  void an_id_carries_the_time_and_the_node_id() {
    Generator generator = open(new ManualClock(NOW), "twitter", 39);
    Parts parts = generator.layout().decode(generator.nextId());
    assertEquals(Instant.ofEpochMilli(NOW), parts.time());
    assertEquals(39, parts.node());
    assertEquals(Map.of("datacenter", 1L, "worker", 7L), parts.fields());
    assertEquals(39, generator.worker());
    assertEquals(Layout.of("twitter"), generator.layout());
  }

  @Test
  void it_says_what_its_ids_mean_as_other_sources_do() {
    Generator generator = open(new ManualClock(NOW), "twitter", 39);
    Layout layout = Layout.of("twitter");
    long id = generator.nextId();
    assertEquals(layout.decode(id), generator.decode(id));
    Instant now = Instant.ofEpochMilli(NOW);
    assertEquals(layout.firstId(now), generator.firstId(now));
    assertEquals(layout.lastId(now), generator.lastId(now));
    assertThrows(BadArgumentException.class, () -> generator.firstId(Instant.EPOCH));
  }

  @Test
  void an_id_as_text_is_the_canonical_decimal_one() {
    Generator numbers = open(new ManualClock(NOW), "polyflake", 5);
    Generator texts = open(new ManualClock(NOW), "polyflake", 5);
    for (int i = 0; i < 1000; i++) {
      long id = numbers.nextId();
      String text = texts.nextIdString();
      assertEquals(Polyflake.toText(id), text);
      assertEquals(id, Polyflake.fromText(text));
    }
  }

  @Test
  void an_open_generator_says_so_and_issues_nothing_for_it() {
    Generator generator = open(new ManualClock(NOW), "polyflake", 5);
    long first = generator.nextId();
    GeneratorState state = generator.state();
    assertEquals("open", state.name());
    assertNull(state.code());
    assertEquals("GeneratorState(open)", state.toString());
    assertEquals(first + 1, generator.nextId());
  }

  @Test
  void a_state_names_what_stops_the_generator() {
    GeneratorState state = new GeneratorState("lost", "registry_unusable");
    assertEquals("lost", state.name());
    assertEquals("registry_unusable", state.code());
    assertEquals("GeneratorState(lost, registry_unusable)", state.toString());
  }

  @Test
  void a_generator_prints_readably_open_and_closed() {
    Generator generator = open(new ManualClock(NOW), "twitter", 39);
    generator.nextId();
    String layout = Layout.of("twitter").toString();
    assertEquals("Generator(worker=39, state=open, layout=" + layout + ")", generator.toString());
    generator.close();
    assertTrue(generator.toString().matches("Generator\\(worker=39, state=closed\\b.*, layout=.*\\)"),
        generator::toString);
  }

  @Test
  void the_system_clock_is_the_default() {
    long before = System.currentTimeMillis();
    long id = Generator.builder().worker(20).build().nextId();
    long after = System.currentTimeMillis();
    long timeMs = Polyflake.decode(id).timeMs();
    assertTrue(before <= timeMs && timeMs <= after, before + " " + timeMs + " " + after);
  }

  @Test
  void a_worker_is_a_number_or_one_number_for_each_field() {
    Generator byNumber = Generator.builder().layout("twitter").worker(39).clock(new ManualClock(NOW)).build();
    Generator byFields = Generator.builder().layout(Layout.of("twitter")).clock(new ManualClock(NOW))
        .worker(Map.of("worker", (short) 7, "datacenter", BigInteger.ONE)).build();
    assertEquals(byNumber.worker(), byFields.worker());
    assertEquals(byNumber.nextId(), byFields.nextId());
  }

  @Test
  void a_full_sequence_moves_a_manual_clock_to_the_next_tick() {
    ManualClock clock = new ManualClock(NOW);
    Generator generator = open(clock, TINY, 1);
    for (int i = 0; i < 4; i++) {
      generator.nextId();
    }
    assertEquals(NOW, clock.timeMs());
    assertEquals(OptionalLong.empty(), generator.tryNextId());
    assertEquals(NOW, clock.timeMs());
    assertEquals(NOW + 1, generator.layout().decode(generator.nextId()).timeMs());
    assertEquals(NOW + 1, clock.timeMs());
    assertTrue(generator.tryNextId().isPresent());
  }

  @Test
  void a_batch_gives_the_ids_that_single_calls_would_have_given() {
    Generator batches = open(new ManualClock(NOW), "polyflake", 3);
    Generator singles = open(new ManualClock(NOW), "polyflake", 3);
    long[] expected = new long[10_000];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = singles.nextId();
    }
    assertArrayEquals(expected, batches.nextIds(10_000));
    long[] more = new long[1];
    batches.fill(more);
    assertEquals(singles.nextId(), more[0]);
    assertEquals(0, batches.nextIds(0).length);
  }

  @Test
  void a_batch_on_the_system_clock_waits_as_long_as_it_needs() {
    Generator generator = Generator.builder().worker(21).maxWait(Duration.ZERO).build();
    long[] ids = generator.nextIds(50_000);
    for (int i = 1; i < ids.length; i++) {
      assertTrue(ids[i - 1] < ids[i]);
    }
    assertTrue(Polyflake.decode(ids[ids.length - 1]).timeMs() <= System.currentTimeMillis());
  }

  @Test
  void an_id_is_not_handed_out_before_its_tick() {
    Generator generator = Generator.builder().layout(TINY).worker(2).build();
    Layout layout = generator.layout();
    for (int i = 0; i < 200; i++) {
      long id = generator.nextId();
      assertTrue(layout.decode(id).timeMs() <= System.currentTimeMillis());
    }
  }

  @Test
  void an_interrupted_thread_gets_its_id_and_stays_interrupted() {
    Generator generator = Generator.builder().layout(TINY).worker(3).build();
    Thread.currentThread().interrupt();
    try {
      long last = generator.nextId();
      for (int i = 0; i < 40; i++) {
        long id = generator.nextId();
        assertTrue(last < id);
        last = id;
      }
      assertTrue(Thread.currentThread().isInterrupted());
      assertTrue(generator.stats().waits() > 0);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void an_interrupted_thread_waits_without_keeping_a_processor_busy() {
    Generator generator = Generator.builder().worker(4)
        .layout("timestamp:40 worker:3 sequence:1 tick=100ms epoch=2020-01-01T00:00:00.000Z").build();
    generator.nextIds(2);
    Thread.currentThread().interrupt();
    try {
      long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      long begin = System.nanoTime();
      generator.nextIds(12); // six ticks, of which a thread that is kept from running may miss some
      long waited = System.nanoTime() - begin;
      long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
      assertTrue(waited > 100_000_000 && cpu < waited / 4, () -> cpu + " ns of work in " + waited + " ns");
      assertTrue(Thread.currentThread().isInterrupted());
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void a_lead_lets_ids_run_ahead_of_the_clock() {
    ManualClock clock = new ManualClock(NOW);
    Generator generator = Generator.builder().layout(TINY).worker(1).clock(clock).maxLead(Duration.ofMillis(5)).build();
    generator.nextIds(20);
    assertEquals(NOW, clock.timeMs());
    assertTrue(generator.stats().leadMs() > 0);
  }

  @Test
  void a_manual_clock_takes_instants_and_durations() {
    ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00.001999Z"));
    assertEquals(1_767_225_600_001L, clock.timeMs());
    clock.advance(Duration.ofMillis(-1500));
    assertEquals(1_767_225_598_501L, clock.timeMs());
    clock.set(Instant.ofEpochSecond(-1, 999_999_999));
    assertEquals(-1, clock.timeMs());
    Executable[] wrong = {
      () -> new ManualClock(Instant.MAX),
      () -> clock.set(Instant.MIN),
      () -> clock.advance(Duration.ofNanos(1)),
      () -> clock.advance(Duration.ofNanos(-1)),
      () -> clock.advance(Duration.ofSeconds(Long.MAX_VALUE)),
    };
    for (Executable call : wrong) {
      assertEquals("option_invalid", assertThrows(BadArgumentException.class, call).code());
    }
    assertEquals(-1, clock.timeMs());
  }

  @Test
  void a_clock_that_went_back_too_far_is_refused_with_the_milliseconds_missing() {
    ManualClock clock = new ManualClock(NOW);
    Generator generator = open(clock, "polyflake", 1);
    generator.nextId();
    clock.advance(-4321);
    PolyflakeException e = assertThrows(PolyflakeException.class, generator::nextId);
    assertEquals("clock_behind", e.code());
    assertEquals("clock", e.kind());
    assertTrue(e.getMessage().contains("4321"), e.getMessage());
    assertEquals("clock_behind", assertThrows(PolyflakeException.class, generator::tryNextId).code());
    assertEquals("clock_behind", assertThrows(PolyflakeException.class, () -> generator.nextIds(2)).code());
    assertEquals(1, generator.stats().issued());
    assertEquals(4321, generator.stats().largestStepBackMs());
  }

  @Test
  void the_end_of_a_layout_is_an_error_and_never_a_negative_id() {
    ManualClock clock = new ManualClock(Layout.of("baidu").epochMs() + ((1L << 28) - 1) * 1000);
    Generator generator = open(clock, "baidu", 1);
    assertTrue(generator.nextId() > 0);
    clock.advance(1000);
    assertEquals("time_exhausted", assertThrows(PolyflakeException.class, generator::nextId).code());
  }

  @Test
  void generators_of_one_process_with_one_node_id_share_their_state() {
    long last = -1;
    for (int i = 0; i < 1000; i++) {
      try (Generator generator = Generator.builder().worker(22).build()) {
        long id = generator.nextId();
        assertTrue(last < id);
        last = id;
      }
    }
  }

  @Test
  void stats_count_what_was_issued() {
    ManualClock clock = new ManualClock(NOW);
    Generator generator = open(clock, TINY, 1);
    long[] ids = generator.nextIds(9);
    assertEquals(ids.length, generator.stats().issued());
    assertTrue(generator.stats().sequenceExhaustions() >= 2);
    assertEquals(0, generator.stats().clockStepsBack());
    assertTrue(generator.stats().untilMs() > NOW);
    double years = generator.stats().yearsLeft();
    assertTrue(years > 28 && years < 30, () -> years + " years");
  }

  @Test
  @Timeout(30)
  void closing_ends_a_long_wait_soon() throws Exception {
    Generator generator = Generator.builder().worker(1).maxWait(Duration.ofDays(2))
        .layout("timestamp:31 worker:20 sequence:1 tick=86400s epoch=2020-01-01T00:00:00.000Z").build();
    FutureTask<long[]> waiting = new FutureTask<>(() -> generator.nextIds(100));
    new Thread(waiting).start();
    Thread.sleep(50);
    generator.close();
    Throwable e = assertThrows(ExecutionException.class, waiting::get).getCause();
    assertEquals("generator_closed", assertInstanceOf(StateException.class, e).code());
  }

  @Test
  void a_closed_generator_refuses_every_call_and_may_be_closed_again() {
    Generator generator = open(new ManualClock(NOW), "polyflake", 1);
    generator.nextId();
    assertFalse(generator.isClosed());
    generator.close();
    generator.close();
    assertTrue(generator.isClosed());
    Executable[] calls = {generator::nextId, generator::nextIdString, generator::tryNextId, () -> generator.nextIds(1),
      () -> generator.nextIds(0), () -> generator.fill(new long[3]), generator::renew};
    for (Executable call : calls) {
      assertEquals("generator_closed", assertThrows(StateException.class, call).code());
    }
    assertEquals("closed", generator.state().name());
    assertEquals(1, generator.worker());
    assertEquals(1, generator.stats().issued());
  }

  @Test
  void closing_one_generator_leaves_the_others_of_its_node_id_open() {
    Generator first = Generator.builder().worker(23).build();
    Generator second = Generator.builder().worker(23).build();
    first.close();
    assertTrue(second.nextId() > 0);
  }

  @Test
  void a_builder_makes_several_generators_and_the_last_worker_wins() {
    Generator.Builder builder = Generator.builder().worker("host:5").worker(24).clock(new ManualClock(NOW));
    long[] first = builder.build().nextIds(3);
    assertArrayEquals(first, builder.build().nextIds(3));
    assertEquals(24, Polyflake.decode(first[0]).node());
    assertEquals(3, Arrays.stream(first).distinct().count());
  }
}
