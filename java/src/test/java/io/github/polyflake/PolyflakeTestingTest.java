package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Known ids without the extension of JUnit. */
class PolyflakeTestingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void the_default_generator_of_before_is_put_back() {
    Optional<Generator> before = Polyflake.defaultGenerator();
    Generator inner;
    try (PolyflakeTesting.Frozen frozen = PolyflakeTesting.frozen(NOW, 5, Layout.of("twitter"))) {
      inner = Polyflake.defaultGenerator().get();
      Parts parts = Polyflake.decode(Polyflake.nextId());
      assertEquals(NOW, parts.time());
      assertEquals(5, parts.node());
      assertEquals(NOW.toEpochMilli(), frozen.clock().timeMs());
      frozen.close();
      assertEquals(before, Polyflake.defaultGenerator());
    }
    assertEquals(before, Polyflake.defaultGenerator());
    assertEquals("generator_closed", assertThrows(StateException.class, inner::nextId).code());
  }

  @Test
  void the_id_in_the_documentation_is_real() {
    try (PolyflakeTesting.Frozen frozen = PolyflakeTesting.frozen(NOW, 0, Layout.of("polyflake"))) {
      assertEquals(794354201395200284L, Polyflake.nextId());
    }
  }

  @Test
  void a_wrong_argument_freezes_nothing() {
    Optional<Generator> before = Polyflake.defaultGenerator();
    assertThrows(BadArgumentException.class, () -> PolyflakeTesting.frozen(Instant.MAX));
    assertThrows(BadArgumentException.class, () -> PolyflakeTesting.frozen(NOW, 1024, Layout.of("polyflake")));
    assertEquals(before, Polyflake.defaultGenerator());
  }

  static final class Beside {
    private static volatile boolean done;

    public static void main(String[] args) throws Exception {
      Polyflake.setDefault(Generator.builder().worker(7).clock(new ManualClock(NOW)).build());
      CompletableFuture<Void> issuing = CompletableFuture.runAsync(() -> {
        while (!done) {
          Polyflake.nextId();
        }
      });
      for (int i = 0; i < 20_000 && !issuing.isDone(); i++) {
        PolyflakeTesting.frozen(NOW).close();
      }
      done = true;
      issuing.get();
      System.out.println(Polyflake.decode(Polyflake.nextId()).node());
    }
  }

  @Test
  void a_call_whose_frozen_generator_has_ended_gets_an_id_of_the_one_before() throws Exception {
    ChildJvm child = ChildJvm.run(Beside.class.getName());
    assertEquals("7\n", child.out, child.err);
  }

  static final class SetAndUsed {
    public static void main(String[] args) {
      ManualClock clock = new ManualClock(NOW.toEpochMilli() + 5);
      Generator mine = Generator.builder().worker(7).layout("twitter").clock(clock).build();
      PolyflakeTesting.frozen(NOW).close();
      System.out.print(Polyflake.defaultGenerator().isPresent() + " ");
      Polyflake.setDefault(mine);
      try (PolyflakeTesting.Frozen frozen = PolyflakeTesting.frozen(NOW)) {
        System.out.print(Polyflake.defaultGenerator().get().layout().equals(mine.layout()) + " ");
        System.out.print(Polyflake.decode(Polyflake.nextId()).node() + " ");
      }
      System.out.println((Polyflake.defaultGenerator().get() == mine) + " " + mine.stats().issued());
    }
  }

  @Test
  void a_generator_that_was_set_goes_on_and_junit_is_not_needed() throws Exception {
    ChildJvm child = ChildJvm.run(SetAndUsed.class.getName());
    assertEquals("false true 0 true 0\n", child.out, child.err);
  }
}
