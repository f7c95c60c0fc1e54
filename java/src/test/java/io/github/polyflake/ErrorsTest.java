package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.polyflake.internal.Facade;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ErrorsTest {
  private static Throwable raised(String code) {
    return assertThrows(Throwable.class, () -> Facade.raise(code, "a message with \u00e9"));
  }

  private static Throwable made(String code, String kind) {
    return PolyflakeException.of(code, kind, "why".getBytes(StandardCharsets.UTF_8), -1);
  }

  @Test
  void each_kind_has_a_type_and_its_code_and_message_cross_from_the_core_unchanged() {
    Object[][] rows = {
      {"layout_too_wide", "argument", BadArgumentException.class},
      {"worker_source_invalid", "argument", BadArgumentException.class},
      {"time_exhausted", "clock", ClockException.class},
      {"worker_in_use", "worker", WorkerException.class},
      {"forked_generator", "state", StateException.class},
      {"generator_closed", "state", StateException.class},
      {"lease_lost", "lease", LeaseException.class},
    };
    for (Object[] row : rows) {
      PolyflakeException e = (PolyflakeException) raised((String) row[0]);
      assertEquals(row[0], e.code());
      assertEquals(row[1], e.kind());
      assertEquals(row[0], e.getCode());
      assertEquals(row[1], e.getKind());
      assertEquals("a message with \u00e9", e.getMessage());
      assertSame(row[2], e.getClass());
      assertSame(PolyflakeException.class, e.getClass().getSuperclass());
      assertTrue(Modifier.isFinal(e.getClass().getModifiers()) && Modifier.isPublic(e.getClass().getModifiers()));
    }
  }

  @Test
  void one_catch_gets_all_and_no_framework_takes_one_for_a_fault_of_its_client() {
    assertSame(RuntimeException.class, PolyflakeException.class.getSuperclass());
    assertFalse(IllegalArgumentException.class.isInstance(raised("clock_behind")));
  }

  @Test
  void a_kind_that_is_not_known_is_still_a_polyflake_exception() {
    PolyflakeException e = (PolyflakeException) made("too_stormy", "weather");
    assertSame(PolyflakeException.class, e.getClass());
    assertEquals("too_stormy", e.code());
    assertEquals("weather", e.kind());
    assertEquals("why", e.getMessage());
  }

  @Test
  void what_is_not_of_the_table_is_an_internal_failure_and_no_memory_is_an_error() {
    PolyflakeException e = (PolyflakeException) raised("no_such_code");
    assertEquals("internal", e.code());
    assertSame(PolyflakeException.class, e.getClass());
    assertSame(OutOfMemoryError.class, made("out_of_memory", "").getClass());
  }

  @Test
  void messages_spell_options_as_the_builder_does() {
    ManualClock clock = new ManualClock(1_767_225_600_000L);
    Generator.Builder builder = Generator.builder().worker(1).clock(clock);
    Generator generator = builder.build();
    generator.nextId();
    clock.advance(-60_000);
    String behind = assertThrows(ClockException.class, generator::nextId).getMessage();
    assertTrue(behind.contains("maxWait") && behind.contains("maxLead"), behind);
    String wait =
        assertThrows(BadArgumentException.class, () -> builder.maxWait(Duration.ofMillis(-1)).build()).getMessage();
    assertTrue(wait.contains("maxWait"), wait);
    builder.maxWait(Duration.ZERO);
    String lead =
        assertThrows(BadArgumentException.class, () -> builder.maxLead(Duration.ofMillis(-1)).build()).getMessage();
    assertTrue(lead.contains("maxLead"), lead);
    builder.maxLead(Duration.ZERO);
    String spread = assertThrows(BadArgumentException.class, () -> builder.sequenceSpread(0).build()).getMessage();
    assertTrue(spread.contains("sequenceSpread"), spread);
    for (String message : new String[] {behind, wait, lead, spread}) {
      assertFalse(message.contains("_"), message);
    }
  }
}
