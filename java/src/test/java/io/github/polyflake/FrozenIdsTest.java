package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension of JUnit. */
class FrozenIdsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = NOW.plus(Duration.ofHours(1));

  @RegisterExtension
  final FrozenIds ids = FrozenIds.at(LATER);

  private static long known(Instant time, int worker, String layout) {
    ManualClock clock = new ManualClock(time);
    try (Generator generator = Generator.builder().worker(worker).layout(layout).clock(clock).build()) {
      return generator.nextId();
    }
  }

  @Test
  void a_test_gets_known_ids_and_the_clock(ManualClock clock) {
    assertEquals(LATER.toEpochMilli(), clock.timeMs());
    assertEquals(known(LATER, 0, "polyflake"), Polyflake.nextId());
    clock.advance(Duration.ofHours(1));
    assertEquals(known(LATER.plus(Duration.ofHours(1)), 0, "polyflake"), Polyflake.nextId());
  }

  @Test
  void each_test_gets_the_same_ids() {
    assertEquals(known(LATER, 0, "polyflake"), Polyflake.nextId());
  }

  @Test
  void another_one_is_refused_and_so_is_set_default() {
    assertEquals("option_invalid",
        assertThrows(BadArgumentException.class, () -> PolyflakeTesting.frozen(NOW)).code());
    try (Generator other = Generator.builder().worker(1).clock(new ManualClock(NOW)).build()) {
      assertEquals("option_invalid",
          assertThrows(BadArgumentException.class, () -> Polyflake.setDefault(other)).code());
    }
    assertEquals(known(LATER, 0, "polyflake"), Polyflake.nextId());
  }

  @AfterEach
  void still_frozen_after_a_test() {
    assertTrue(Polyflake.defaultGenerator().isPresent());
  }
}
